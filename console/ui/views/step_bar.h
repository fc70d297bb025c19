#pragma once

#include "console/ui/shell/theme.h"

#include <QWidget>

namespace fremis::console::ui {

/// The steps of something that is done one after the other: a number, a name and a state each, told by word, sign and
/// colour. Thread: GUI.
class StepBar final : public QWidget {
    Q_OBJECT

public:
    enum class State { Waiting, Current, Running, Done, Failed };

    explicit StepBar(const Theme& theme, QWidget* parent = nullptr);
    void setTitles(const QStringList& titles);
    void setState(int step, State state);
    [[nodiscard]] State state(int step) const { return m_steps[std::size_t(step)].state; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {4 * sizeHint().height(), sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Step {
        QString title;
        State state = State::Waiting;
    };
    void describe();
    void paintStep(QPainter& painter, const QRectF& rect, int step) const;
    [[nodiscard]] QColor colorOf(State state) const;

    const Theme& m_theme;
    std::vector<Step> m_steps;
};

} // namespace fremis::console::ui
