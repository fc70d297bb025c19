#include "console/ui/shell/screenshots.h"

#include <QDir>
#include <QTimer>

namespace fremis::console::ui {
namespace {

constexpr int kPatienceMs = 60'000; // real servers load their models first
constexpr int kSeenForPictures = 8; ///< snapshots, so that charts have something to show

/// Everything that pages show has come in.
bool isComplete(const Snapshot& snapshot) {
    return snapshot.config && snapshot.status && !snapshot.nodes.empty() &&
           std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                       [](const NodeView& node) { return node.vectors() && node.resources; });
}

} // namespace

PageTour::PageTour(MainWindow& window, Session& session, QString folder, QString suffix, QObject* parent)
    : QObject(parent), m_window(window), m_session(session), m_folder(std::move(folder)), m_suffix(std::move(suffix)),
      m_left(window.pageIds()) {
    if (!m_folder.isEmpty())
        m_complete = QDir().mkpath(m_folder);
    connect(&session, &Session::snapshotReady, this, &PageTour::onSnapshot);
    QTimer::singleShot(kPatienceMs, this, [this] {
        if (!m_started) {
            m_complete = false;
            m_started = true;
            next();
        }
    });
}

void PageTour::onSnapshot() {
    if (m_started || !m_session.snapshot() || !isComplete(*m_session.snapshot()))
        return;
    if (!m_folder.isEmpty() && !m_session.isRecorded() && ++m_seen < kSeenForPictures)
        return;
    m_started = true;
    QTimer::singleShot(0, this, &PageTour::next);
}

void PageTour::next() {
    if (m_left.isEmpty()) {
        Q_EMIT finished(m_complete);
        return;
    }
    const QString id = m_left.takeFirst();
    m_window.openPage(id);
    QTimer::singleShot(400, this, [this, id] {
        if (!m_folder.isEmpty()) {
            const QString file = QStringLiteral("%1/%2-%3.png").arg(m_folder, id, m_suffix);
            m_complete = m_window.grab().save(file) && m_complete;
        }
        next();
    });
}

} // namespace fremis::console::ui
