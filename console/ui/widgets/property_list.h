#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;

namespace fremis::console::ui {

struct Property {
    QString label; ///< empty: `value` takes the whole line
    QString value;
    std::optional<Severity> severity = std::nullopt;
    int node = -1;          ///< swatch of that node before the label
    bool isHeading = false; ///< `label` in bold over the lines that follow
    bool operator==(const Property&) const = default;
};

/// Labels and values in two columns; values can be selected and copied. Unchanged lines stay as they are. Thread: GUI.
class PropertyList final : public QWidget {
    Q_OBJECT

public:
    explicit PropertyList(const Theme& theme, QWidget* parent = nullptr);
    void set(const std::vector<Property>& properties);
    [[nodiscard]] const std::vector<Property>& properties() const { return m_properties; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        QLabel* label;
        QLabel* value;
    };
    void addLine();
    void fill(std::size_t number);
    void refresh();

    const Theme& m_theme;
    QGridLayout* m_grid;
    std::vector<Property> m_properties;
    std::vector<Line> m_lines;
};

/// The colour of a node as a small square.
[[nodiscard]] QPixmap nodeSwatch(const Theme& theme, int node, int size, qreal devicePixelRatio);

} // namespace fremis::console::ui
