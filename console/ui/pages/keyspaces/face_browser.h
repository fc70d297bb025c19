#pragma once

#include "console/client/spread.h"
#include "console/ui/pages/page.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace fremis::console::ui {

class Sparkline;

/// Faces of one keyspace, page by page, as the coordinator lists them; asked for when the operator looks. Thread: GUI.
class FaceBrowser final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kPageSize = 100;

    explicit FaceBrowser(const PageContext& context, QWidget* parent = nullptr);
    void setKeyspace(const QString& keyspace);
    void setBase(const QUrl& base) { m_base = base; }
    /// Of the keyspace; nothing: not known.
    void setFaceCount(std::optional<quint64> faces);
    [[nodiscard]] QStringList shown() const;
    [[nodiscard]] const SpreadWalk& spread() const { return m_walk; }
    [[nodiscard]] QByteArray csv() const; ///< of the faces that are shown

protected:
    void changeEvent(QEvent* event) override;

private:
    void ask(const QString& cursor);
    void take(const QByteArray& body);
    void retranslate();
    void applyPrefix();
    void measureSpread();
    void showSpread(const QString& problem);
    void refreshButtons();

    const PageContext m_context;
    FaceCalls m_calls;
    SpreadWalk m_walk;
    std::optional<quint64> m_faces;
    QUrl m_base;
    QString m_keyspace;
    QString m_next;
    QLabel* m_title;
    QToolButton* m_load;
    QToolButton* m_more;
    QToolButton* m_export;
    QToolButton* m_measure;
    QLineEdit* m_prefix;
    QLabel* m_spreadNote;
    Sparkline* m_spread;
    QListWidget* m_list;
    QLabel* m_note;
};

} // namespace fremis::console::ui
