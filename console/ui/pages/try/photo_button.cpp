#include "console/ui/pages/try/photo_button.h"

#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/sample_faces.h"
#include "console/ui/shell/icons.h"

#include <QFile>
#include <QMenu>
#include <QSettings>

namespace fremis::console::ui {

void PhotoMemory::forget() {
    last.fill('\0');
    last.clear();
}

PhotoButton::PhotoButton(const PageContext& context, PhotoView& view, PhotoMemory& memory, const QString& name)
    : m_context(context), m_view(view), m_memory(memory), m_menu(new QMenu(this)), m_samples(new QMenu(this)) {
    setObjectName(name);
    setIcon(ui::icon(QStringLiteral("photo")));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setMenu(m_menu);
    m_open = add("open");
    m_paste = add("paste");
    m_last = add("last");
    m_menu->addMenu(m_samples);
    for (int number = 0; number < kSampleFaces; ++number)
        m_samples->addAction(QString(), this, [this, number] { take(sampleFace(number)); })
            ->setObjectName(objectName() + QStringLiteral(".sample%1").arg(number));
    m_menu->addSeparator();
    m_clear = add("clear");
    m_keep = add("keep");
    m_keep->setCheckable(true);
    connect(m_menu, &QMenu::aboutToShow, this, &PhotoButton::refresh);
    connect(m_open, &QAction::triggered, this, &PhotoButton::open);
    connect(m_paste, &QAction::triggered, &m_view, &PhotoView::paste);
    connect(m_last, &QAction::triggered, this, [this] { take(m_memory.last); });
    connect(m_clear, &QAction::triggered, &m_view, &PhotoView::clear);
    connect(m_keep, &QAction::triggered, this, [this](bool keep) {
        m_memory.keep = keep;
        QSettings().setValue(QStringLiteral("try/keepPhotos"), keep);
    });
}

QAction* PhotoButton::add(const char* id) {
    auto* action = m_menu->addAction(QString());
    action->setObjectName(objectName() + QLatin1Char('.') + QLatin1String(id));
    return action;
}

void PhotoButton::refresh() {
    m_last->setEnabled(!m_memory.last.isEmpty());
    m_clear->setEnabled(!m_view.isEmpty());
    m_keep->setChecked(m_memory.keep);
}

void PhotoButton::take(const QByteArray& bytes) {
    if (const QString why = m_view.setBytes(bytes); !why.isEmpty())
        Q_EMIT refused(why);
}

void PhotoButton::open() {
    m_context.dialogs.openFile(this, tr("Open a photo"), tr("Photos (*.jpg *.jpeg *.png *.webp *.bmp)"),
                               [this](const QString& path) {
                                   QFile file(path);
                                   if (path.isEmpty())
                                       return;
                                   if (file.open(QIODevice::ReadOnly))
                                       take(file.read(PhotoView::kMostBytes + 1));
                                   else
                                       Q_EMIT refused(file.errorString());
                               });
}

void PhotoButton::retranslate(const QString& title) {
    setText(title);
    setAccessibleName(title);
    setToolTip(tr("Photos stay in memory and go when the page is left"));
    m_open->setText(tr("&Open..."));
    m_paste->setText(tr("&Paste"));
    m_last->setText(tr("The one sent &last"));
    m_samples->setTitle(tr("&Drawn sample faces"));
    for (int number = 0; number < kSampleFaces; ++number)
        m_samples->actions()[number]->setText(tr("Face &%1").arg(number + 1));
    m_clear->setText(tr("&Clear"));
    m_keep->setText(tr("&Keep photos until I quit"));
}

} // namespace fremis::console::ui
