#pragma once

#include "console/client/spread.h"
#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// 256 bars, one for each partition, over a line at their mean; a partition is named when the pointer is over it.
/// Thread: GUI.
class Sparkline final : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(const Theme& theme, QWidget* parent = nullptr);
    /// `name`: what is counted, "Vectors of all keyspaces". Nothing: not known.
    void set(const QString& name, const std::optional<Spread>& spread);
    [[nodiscard]] const std::optional<Spread>& spread() const { return m_spread; }
    /// Least, mean, greatest and what chi-square says, in words.
    [[nodiscard]] QString description() const;
    [[nodiscard]] QSize sizeHint() const override { return {512, 40}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 36}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    QString m_name;
    std::optional<Spread> m_spread;
};

} // namespace fremis::console::ui
