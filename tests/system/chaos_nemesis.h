#pragma once

#include "tests/system/chaos_clients.h"

namespace fremis::test {

/// What makes trouble: a few at a time, never two for the same program or wire. Thread: the test's.
class Nemesis {
public:
    Nemesis(ChaosCluster& cluster, ChaosNotes& notes, Chance& chance)
        : m_cluster(cluster), m_notes(notes), m_chance(chance) {}

    /// All is mended when it returns.
    void rageUntil(std::chrono::steady_clock::time_point end);
    /// How often it did what.
    [[nodiscard]] const std::map<std::string, int>& strikes() const { return m_strikes; }

private:
    struct Trouble {
        const void* whose;
        std::string what;
        std::chrono::steady_clock::time_point until;
        std::function<void()> end;
    };
    template<class Which> void settle(Which which);
    void begin();
    [[nodiscard]] bool isTroubled(const void* whose) const;
    void trouble(const void* whose, const std::string& what, std::chrono::milliseconds lasting,
                 const std::function<void()>& begin, std::function<void()> end);
    void hit(ChaosProgram& program);
    void bend(int number);
    void restart(ChaosProgram& program);
    void afterFailedSyncs(ChaosProgram& program);

    ChaosCluster& m_cluster;
    ChaosNotes& m_notes;
    Chance& m_chance;
    std::vector<Trouble> m_troubles;
    std::map<std::string, int> m_strikes;
};

} // namespace fremis::test
