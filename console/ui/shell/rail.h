#pragma once

#include "console/ui/pages/page_list.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QButtonGroup;

namespace fremis::console::ui {

/// One page in the rail: icon, name, badge; the name hides when the rail is narrow. Thread: GUI.
class RailButton final : public QAbstractButton {
    Q_OBJECT

public:
    RailButton(const Theme& theme, const PageEntry& page, QWidget* parent);
    void setBadge(const RailBadge& badge);
    void setNarrow(bool narrow);
    void setMarked(bool marked); ///< unsaved changes
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    const PageEntry m_page;
    RailBadge m_badge;
    bool m_narrow = false;
    bool m_marked = false;
    bool m_hovered = false;
};

/// The column of pages on the left. Up and Down walk it. Thread: GUI.
class Rail final : public QWidget {
    Q_OBJECT

public:
    Rail(const Theme& theme, const std::vector<PageEntry>& pages, QWidget* parent = nullptr);
    void setCurrent(const QString& page);
    void setSnapshot(const SnapshotPtr& snapshot);
    void setNarrow(bool narrow);
    void setMarked(const QString& page, bool marked);
    [[nodiscard]] bool isNarrow() const { return m_narrow; }

Q_SIGNALS:
    void chosen(const QString& page);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    const Theme& m_theme;
    const std::vector<PageEntry> m_pages;
    std::vector<RailButton*> m_buttons;
    bool m_narrow = false;
};

} // namespace fremis::console::ui
