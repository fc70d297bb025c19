#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

#include <array>

class QLabel;

namespace fremis::console::ui {

/// The three maps that should be one: of the file, of the running coordinator, of the draft. Thread: GUI.
class EpochStrip final : public QWidget {
    Q_OBJECT

public:
    explicit EpochStrip(const Theme& theme, QWidget* parent = nullptr);

    struct Epochs {
        QString file;    ///< empty: unknown
        QString running; ///< empty: unknown
        QString draft;   ///< empty: it has errors
        int changes = 0; ///< steps of the draft
        QString source;  ///< where the draft comes from, for the tool tip
        bool operator==(const Epochs&) const = default;
    };
    void set(const Epochs& epochs);
    void retranslate();

private:
    struct Part {
        QLabel* title;
        QLabel* value;
    };
    void refresh();
    void show(const Part& part, const QString& value, std::optional<Severity> severity, const QString& hint);

    const Theme& m_theme;
    Epochs m_epochs;
    std::array<Part, 3> m_parts;
};

} // namespace fremis::console::ui
