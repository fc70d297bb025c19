#pragma once

#include "console/ui/pages/page.h"

#include <QKeySequence>

#include <vector>

namespace fremis::console::ui {

/// What the rail shows beside a page's name.
struct RailBadge {
    qint64 count = 0; ///< 0: none
    Severity severity = Severity::Info;
};

struct PageEntry {
    QString id;
    const char* title; ///< QT_TRANSLATE_NOOP("Actions", ...)
    QString icon;
    QKeySequence key;
    std::function<Page*(const PageContext&, QWidget* parent)> make;
    std::function<RailBadge(const Snapshot&)> badge; ///< may be empty
};

/// All pages in rail order.
[[nodiscard]] std::vector<PageEntry> allPages();
[[nodiscard]] QString titleOf(const PageEntry& page);

} // namespace fremis::console::ui
