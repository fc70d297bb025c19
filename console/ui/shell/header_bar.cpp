#include "console/ui/shell/header_bar.h"

#include "console/ui/shell/icons.h"
#include "console/ui/widgets/badge.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace fremis::console::ui {
namespace {

constexpr int kFrameLine = 4;
constexpr int kShortest = 3; ///< last step of shortening

} // namespace

HeaderBar::HeaderBar(const Theme& theme, ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_actions(actions), m_menus(new QMenuBar(this)), m_search(new QPushButton(this)),
      m_profileButton(new QToolButton(this)), m_profileMenu(new QMenu(this)), m_environment(new Badge(theme, this)),
      m_open(new Badge(theme, this)), m_lock(new QToolButton(this)) {
    setObjectName(QStringLiteral("header"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space::kTiny, kFrameLine + 3, space::kMedium, 3);
    layout->setSpacing(space::kSmall);
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    layout->addWidget(m_menus);
    layout->addStretch(1);
    m_search->setObjectName(QStringLiteral("header.search"));
    m_search->setIcon(icon(QStringLiteral("search")));
    layout->addWidget(m_search);
    layout->addStretch(1);
    m_profileButton->setObjectName(QStringLiteral("header.profile"));
    m_profileButton->setPopupMode(QToolButton::InstantPopup);
    m_profileButton->setMenu(m_profileMenu);
    m_profileButton->setAutoRaise(true);
    m_profileButton->setToolButtonStyle(Qt::ToolButtonTextOnly);
    layout->addWidget(m_environment);
    layout->addWidget(m_profileButton);
    layout->addWidget(m_open);
    m_lock->setObjectName(QStringLiteral("header.lock"));
    m_lock->setAutoRaise(true);
    m_lock->setDefaultAction(actions.find(QStringLiteral("cluster.lock")));
    m_lock->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    layout->addWidget(m_lock);
    connect(m_search, &QPushButton::clicked, actions.find(QStringLiteral("view.palette")), &QAction::trigger);
    connect(&actions, &ActionRegistry::lockChanged, this, &HeaderBar::refresh);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    refresh();
}

void HeaderBar::setProfile(const std::optional<Profile>& profile) {
    m_profile = profile;
    refresh();
}

void HeaderBar::setRecorded(const QString& when) {
    m_recorded = when;
    refresh();
}

void HeaderBar::setOpenPlane(bool open) {
    m_openPlane = open;
    refresh();
}

void HeaderBar::refresh() {
    m_search->setToolTip(tr("Search or run...   Ctrl+K"));
    m_search->setAccessibleName(tr("Command palette"));
    m_profileButton->setAccessibleName(tr("Profile: %1").arg(m_profile ? m_profile->name : tr("Not connected")));
    m_environment->setVisible(m_profile.has_value());
    if (!m_recorded.isEmpty()) {
        m_environment->set(m_recorded, Severity::Unknown, Badge::Look::Solid);
    } else if (m_profile) {
        const QString word = wordOf(m_profile->environment).toUpper();
        m_environment->set(word, Theme::profileColor(m_profile->colour));
    }
    m_open->setVisible(m_profile && m_openPlane);
    m_open->set(tr("OPEN", "no key needed"), Severity::Warning);
    m_open->setToolTip(tr("Callers of this cluster need no key."));
    QAction* lock = m_actions.find(QStringLiteral("cluster.lock"));
    lock->setIcon(icon(m_actions.isLocked() ? QStringLiteral("lock") : QStringLiteral("unlock")));
    lock->setChecked(m_actions.isLocked());
    lock->setIconText(m_actions.isLocked() ? tr("Read-only") : tr("Unlocked"));
    m_lock->setAccessibleName(lock->iconText());
    fit();
    update();
}

void HeaderBar::shorten(int step) {
    const bool searches = step < 1;
    m_search->setText(searches ? m_search->toolTip() : QString());
    m_search->setMinimumWidth(searches ? std::max(200, m_search->sizeHint().width()) : 0);
    m_lock->setToolButtonStyle(step < 2 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    const QString name = m_profile ? m_profile->name : tr("Not connected");
    const QString shown = step < kShortest
                              ? name
                              : fontMetrics().elidedText(name, Qt::ElideMiddle, 12 * fontMetrics().averageCharWidth());
    m_profileButton->setText(shown + QStringLiteral("  ▾"));
    m_profileButton->setToolTip(shown == name ? tr("Profiles") : name);
}

void HeaderBar::fit() {
    const auto needed = [this] {
        const int menus = m_menus->sizeHint().width() - m_menus->minimumSizeHint().width(); // they would fold up else
        return layout()->minimumSize().width() + std::max(0, menus);
    };
    for (int step = 0; step <= kShortest; ++step) {
        shorten(step);
        if (needed() <= width())
            return;
    }
}

void HeaderBar::resizeEvent(QResizeEvent* event) {
    fit();
    QWidget::resizeEvent(event);
}

void HeaderBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().window);
    const QColor line = !m_recorded.isEmpty() ? m_theme.colors().unknown
                        : m_profile           ? Theme::profileColor(m_profile->colour)
                                              : m_theme.colors().line;
    painter.fillRect(QRect(0, 0, width(), kFrameLine), line);
}

void HeaderBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace fremis::console::ui
