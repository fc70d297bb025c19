#include "tests/system/chaos_nemesis.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace fremis::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kMostAtOnce = 2;

} // namespace

void Nemesis::rageUntil(std::chrono::steady_clock::time_point end) {
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(m_chance.between(50, 800)); // when the next trouble comes
        settle([](const auto& trouble) { return trouble.until < std::chrono::steady_clock::now(); });
        if (m_troubles.size() < kMostAtOnce)
            begin();
    }
    settle([](const auto&) { return true; });
    if (const auto ends = m_cluster.unexpectedEnds(); !ends.empty())
        m_notes.complain(ends);
}

template<class Which> void Nemesis::settle(Which which) {
    for (auto at = m_troubles.begin(); at != m_troubles.end();)
        if (which(*at)) {
            m_notes.note("--- end: " + at->what);
            at->end();
            at = m_troubles.erase(at);
        } else {
            ++at;
        }
}

void Nemesis::begin() {
    switch (m_chance.below(4)) {
    case 0:
        return hit(m_chance.oneOf(m_cluster.workers()));
    case 1:
        return hit(m_chance.oneOf(m_cluster.doors()));
    case 2:
        return bend(m_chance.below(static_cast<int>(m_cluster.wires().size())));
    default:
        if (m_chance.below(4) == 0)
            trouble(
                &m_cluster, "map changed", 0ms, [this] { m_cluster.changeMap(); }, [] {});
    }
}

bool Nemesis::isTroubled(const void* whose) const {
    return std::any_of(m_troubles.begin(), m_troubles.end(), [whose](const auto& one) { return one.whose == whose; });
}

void Nemesis::trouble(const void* whose, const std::string& what, std::chrono::milliseconds lasting,
                      const std::function<void()>& begin, std::function<void()> end) {
    if (isTroubled(whose))
        return;
    m_notes.note("--- " + what);
    begin();
    ++m_strikes[what];
    m_troubles.push_back({whose, what, std::chrono::steady_clock::now() + lasting, std::move(end)});
}

void Nemesis::hit(ChaosProgram& program) {
    if (isTroubled(&program))
        return;
    if (const auto end = program.unexpectedEnd(); !end.empty()) {
        m_notes.complain(program.name() + ": " + end);
        return restart(program);
    }
    const auto kind = program.name().substr(0, program.name().size() - 1);
    switch (m_chance.below(6)) {
    case 0:
    case 1:
    case 2:
        return trouble(
            &program, kind + " killed", m_chance.between(100, 3'000), [&] { program.kill(); },
            [&] { restart(program); });
    case 3:
        return trouble(
            &program, kind + " frozen", m_chance.between(300, 4'000), [&] { program.signal(SIGSTOP); },
            [&] { program.signal(SIGCONT); });
    case 4:
        return trouble(
            &program, kind + "'s disk full", m_chance.between(500, 3'000), [&] { program.disk.fill(); },
            [&] { program.disk.mend(); });
    default:
        return trouble(
            &program, kind + "'s disk fails", m_chance.between(500, 3'000),
            [&] { program.disk.failSyncs(m_chance.below(3)); }, [&] { afterFailedSyncs(program); });
    }
}

void Nemesis::bend(int number) {
    auto& wire = *m_cluster.wires()[static_cast<std::size_t>(number)];
    const auto straighten = [&wire] { wire.set({}); };
    const auto bent = [&](const std::string& what, const ChaosProxy::Behaviour& behaviour) {
        trouble(
            &wire, what, m_chance.between(300, 4'000), [&] { wire.set(behaviour); }, straighten);
    };
    switch (m_chance.below(5)) {
    case 0:
        return bent("requests stalled", {.stallsThere = true});
    case 1:
        return bent("answers stalled", {.stallsBack = true});
    case 2:
        return bent("wire slow", {.delay = 150ms});
    case 3:
        wire.resetAll();
        return bent("connections refused", {.refuses = true});
    default:
        return bent("connections reset", {.resetAfter = static_cast<std::size_t>(200 + m_chance.below(3'000))});
    }
}

void Nemesis::restart(ChaosProgram& program) {
    if (const auto why = program.start(); !why.empty())
        m_notes.complain(why);
}

/// After a failed sync a program can promise nothing: it ends by itself, and not as if all were well.
void Nemesis::afterFailedSyncs(ChaosProgram& program) {
    program.disk.mend();
    if (!program.disk.hasStruck())
        return;
    const auto code = program.waitExit(60s);
    if (code && *code != 0)
        return restart(program);
    m_notes.complain(program.name() + (code ? " ends as if all were well" : " goes on") + " after a failed sync");
}

} // namespace fremis::test
