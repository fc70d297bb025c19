#pragma once

#include <QLayout>

namespace fremis::console::ui {

/// Items from left to right. Where they fit on one line it is a row like any other: a stretch takes what is left. Where
/// they do not they go on, on as many lines as they need.
class FlowLayout final : public QLayout {
public:
    FlowLayout(QWidget* parent, int spacing);
    ~FlowLayout() override;

    void addSpacing(int width);
    void addStretch();

    void addItem(QLayoutItem* item) override { m_items.append(item); }
    [[nodiscard]] int count() const override { return int(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
    void setGeometry(const QRect& rect) override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSize(); }
    [[nodiscard]] QSize minimumSize() const override;

private:
    struct Line {
        QList<QLayoutItem*> items;
        bool isSqueezed = false; ///< items at less than their hints, but all on one line
    };
    int arrange(const QRect& rect, bool place) const;
    [[nodiscard]] QList<Line> linesOf(int width) const;
    void place(const Line& line, const QRect& area) const;

    QList<QLayoutItem*> m_items;
    int m_gap;
};

} // namespace fremis::console::ui
