#pragma once

#include "console/client/known.h"

#include <QObject>
#include <QString>

#include <deque>

namespace fremis::console {

enum class Severity { Info, Success, Warning, Critical };
[[nodiscard]] QString wordOf(Severity severity); ///< translated

struct Event {
    quint64 id = 0; ///< rises; 0: not logged yet
    Instant time{0};
    Severity severity = Severity::Info;
    QString subject;     ///< a node's address, "config", "console", ...
    QString text;        ///< one sentence, translated
    QString epochBefore; ///< of a console action that changed the config
    QString epochAfter;
    bool operator==(const Event&) const = default;
};

/// What happened, newest last; the last 10,000 are kept. Thread: GUI.
class EventLog : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 10'000;
    using QObject::QObject;
    /// Returns its id.
    quint64 add(Event event);
    [[nodiscard]] const std::deque<Event>& events() const { return m_events; }
    void clear();

Q_SIGNALS:
    void added(const fremis::console::Event& event);
    void droppedOldest(); ///< before `added`, when the log was full
    void cleared();

private:
    std::deque<Event> m_events;
    quint64 m_lastId = 0;
};

} // namespace fremis::console
