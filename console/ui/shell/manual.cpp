#include "console/ui/shell/manual.h"

#include "console/ui/shell/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace fremis::console::ui {

QString manualText(const QString& locale) {
    const auto name = locale == QStringLiteral("id") ? QStringLiteral("manual.id.md") : QStringLiteral("manual.md");
    QFile file(QStringLiteral(":/manual/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    static const QRegularExpression pictureOrLink(QStringLiteral(R"(^(!\[[^\n]*|\[[^\n]*\]\([^\n]*\.md\))\n)"),
                                                  QRegularExpression::MultilineOption);
    return QString::fromUtf8(file.readAll()).remove(pictureOrLink);
}

QString manualHeading(const QString& text, const QString& pageId) {
    const QRegularExpression section(QStringLiteral("<!-- page: %1 -->\\n## ([^\\n]*)\\n").arg(pageId));
    return section.match(text).captured(1);
}

QDialog* manualWindow(const QString& locale, const QString& pageId, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("manual"));
    dialog->setWindowTitle(QCoreApplication::translate("Manual", "Manual"));
    dialog->resize(720, 640);
    auto* browser = new QTextBrowser(dialog);
    browser->setObjectName(QStringLiteral("manual.text"));
    browser->setAccessibleName(dialog->windowTitle());
    browser->setFrameShape(QFrame::NoFrame);
    browser->document()->setDocumentMargin(space::kLarge);
    const QString text = manualText(locale);
    browser->setMarkdown(text);
    const QString heading = manualHeading(text, pageId);
    for (auto block = browser->document()->begin(); block.isValid() && !heading.isEmpty(); block = block.next()) {
        if (block.blockFormat().headingLevel() != 2 || block.text() != heading)
            continue;
        QTextCursor at(browser->document()->lastBlock());
        browser->setTextCursor(at); // from below: the section then begins at the top
        browser->setTextCursor(QTextCursor(block));
        break;
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(browser);
    layout->addWidget(buttons);
    return dialog;
}

} // namespace fremis::console::ui
