#pragma once

#include "console/ui/shell/theme.h"

#include <QLabel>

#include <chrono>
#include <optional>

namespace fremis::console::ui {

/// "3 s ago" in muted ink, in the colour of a warning once it is stale, "no data" before the first. Thread: GUI.
class AgeLabel : public QLabel {
    Q_OBJECT

public:
    explicit AgeLabel(const Theme& theme, QWidget* parent = nullptr);
    void setAge(std::optional<std::chrono::milliseconds> age, std::chrono::milliseconds staleAfter);
    [[nodiscard]] bool isStale() const { return m_stale; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    const Theme& m_theme;
    std::optional<std::chrono::milliseconds> m_age;
    bool m_stale = false;
};

} // namespace fremis::console::ui
