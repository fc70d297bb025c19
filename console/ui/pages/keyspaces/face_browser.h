#pragma once

#include "console/ui/pages/page.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace fremis::console::ui {

/// Faces of one keyspace, page by page, as the coordinator lists them; asked for when the operator looks. Thread: GUI.
class FaceBrowser final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kPageSize = 100;

    explicit FaceBrowser(const PageContext& context, QWidget* parent = nullptr);
    void setKeyspace(const QString& keyspace);
    void setBase(const QUrl& base) { m_base = base; }
    [[nodiscard]] QStringList shown() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void ask(const QString& cursor);
    void take(const QByteArray& body);
    void retranslate();

    const PageContext m_context;
    QUrl m_base;
    QString m_keyspace;
    QString m_next;
    QLabel* m_title;
    QToolButton* m_load;
    QToolButton* m_more;
    QListWidget* m_list;
    QLabel* m_note;
};

} // namespace fremis::console::ui
