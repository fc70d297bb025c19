#pragma once

#include "console/client/face_calls.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// When each node began and how long it took, one bar below the other; the slowest is marked. Thread: GUI.
class FanOutView final : public QWidget {
    Q_OBJECT

public:
    struct Bar {
        QString label;
        int node = 0; ///< of the snapshot, for its colour
        NodeTiming timing;
    };

    explicit FanOutView(const Theme& theme, QWidget* parent = nullptr);
    void set(std::vector<Bar> bars);
    [[nodiscard]] const std::vector<Bar>& bars() const { return m_bars; }
    /// Position in bars() of the node that took longest; nothing when none answered.
    [[nodiscard]] std::optional<std::size_t> slowest() const;
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString noteOf(std::size_t bar) const;
    [[nodiscard]] int lineHeight() const;
    void paintBar(QPainter& painter, std::size_t bar, const QRect& line, int labels, double total) const;

    const Theme& m_theme;
    std::vector<Bar> m_bars;
};

} // namespace fremis::console::ui
