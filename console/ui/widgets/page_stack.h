#pragma once

#include <QStackedWidget>

namespace fremis::console::ui {

/// A stack that needs only the room of what it shows. Thread: GUI.
class PageStack final : public QStackedWidget {
    Q_OBJECT

public:
    explicit PageStack(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return false; } ///< it can be squeezed to its minimum
};

} // namespace fremis::console::ui
