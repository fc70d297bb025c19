#pragma once

#include <QScrollArea>

namespace fremis::console::ui {

/// Gives its content the room there is; what needs more height is scrolled, and nothing goes sideways. Thread: GUI.
class ScrollPane final : public QScrollArea {
    Q_OBJECT

public:
    /// `content` becomes a child.
    explicit ScrollPane(QWidget* content, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override { return {minimumSizeHint().width(), widget()->sizeHint().height()}; }
    /// As wide as the content must be, with a scroll bar beside it.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
};

/// The least height in which a widget of this width shows all it has to.
[[nodiscard]] int leastHeight(const QWidget& widget, int width);

} // namespace fremis::console::ui
