#pragma once

#include "console/client/snapshot.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// How evenly partitions, vectors and memory lie on the nodes: one bar each, cut in node colours, with the greatest
/// share over the mean. Thread: GUI.
class ShareBars final : public QWidget {
    Q_OBJECT

public:
    explicit ShareBars(const Theme& theme, QWidget* parent = nullptr);
    void setSnapshot(const Snapshot& snapshot);
    void retranslate() { update(); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

Q_SIGNALS:
    void nodeClicked(int node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Bar {
        std::vector<double> values; ///< by node; empty: unknown
        double greatest = 0;        ///< over the mean
    };
    [[nodiscard]] QString titleOf(int bar) const;
    [[nodiscard]] QRect trackOf(int bar) const;

    const Theme& m_theme;
    std::array<Bar, 3> m_bars;
    QStringList m_labels;
};

} // namespace fremis::console::ui
