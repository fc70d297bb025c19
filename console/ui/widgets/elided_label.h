#pragma once

#include <QLabel>

namespace fremis::console::ui {

/// A line of plain text that shortens itself with "…" and then shows all of it as its tooltip. Thread: GUI.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);
    void setText(const QString& text);
    [[nodiscard]] QString fullText() const { return m_full; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString m_full;
    Qt::TextElideMode m_mode;
};

} // namespace fremis::console::ui
