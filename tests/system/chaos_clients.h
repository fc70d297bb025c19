#pragma once

#include "tests/support/face_client.h"
#include "tests/support/history.h"
#include "tests/system/chaos_cluster.h"

#include <atomic>
#include <mutex>
#include <random>

namespace fremis::test {

/// Times of the history.
[[nodiscard]] History::Time chaosNow();

/// What another coordinator tells may be late, and what nobody confirmed may come late, on a machine that does much
/// else.
inline constexpr History::Rules kChaosRules{std::chrono::seconds(10), std::chrono::seconds(60)};

/// Numbers from a seed. Thread: one.
class Chance {
public:
    explicit Chance(std::uint32_t seed) : m_random(seed) {}
    [[nodiscard]] int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    [[nodiscard]] std::chrono::milliseconds between(int leastMs, int mostMs) {
        return std::chrono::milliseconds(leastMs + below(mostMs - leastMs));
    }
    template<class List> [[nodiscard]] auto& oneOf(List& list) {
        return *list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
    }
    [[nodiscard]] std::uint32_t seed() { return m_random(); }

private:
    std::mt19937 m_random;
};

/// What all clients note. Thread: any.
class ChaosNotes {
public:
    [[nodiscard]] History::Write begin(History::Write (History::*what)(std::string, int, History::Time),
                                       const QString& face, int door) {
        const std::scoped_lock lock(m_mutex);
        return (history.*what)(face.toStdString(), door, chaosNow());
    }
    void end(History::Write write, History::Outcome outcome) {
        const std::scoped_lock lock(m_mutex);
        history.end(write, outcome, chaosNow());
    }
    void addRead(int door, History::Time begin, std::vector<std::string> seen) {
        const std::scoped_lock lock(m_mutex);
        history.addRead(door, begin, chaosNow(), std::move(seen));
    }
    void addLook(const QString& face, int door, History::Time begin, bool seen) {
        const std::scoped_lock lock(m_mutex);
        history.addLook(face.toStdString(), door, begin, chaosNow(), seen);
    }
    void note(std::string what) {
        const std::scoped_lock lock(m_mutex);
        history.note(chaosNow(), std::move(what));
    }
    void complain(std::string what) {
        const std::scoped_lock lock(m_mutex);
        complaints += what + "\n";
    }

    // While no client works.
    History history;
    std::string complaints;

private:
    std::mutex m_mutex;
};

/// The faces that clients work on. One about which a client was left in doubt is laid aside, as what is seen of it says
/// little; when nothing can follow from the doubt any more it is removed. Thread: any.
class ChaosFaces {
public:
    static constexpr int kSlots = 24; ///< worked on at a time

    [[nodiscard]] QString pick(int slot) {
        const std::scoped_lock lock(m_mutex);
        return nameOf(slot);
    }
    void layAside(const QString& face) {
        const std::scoped_lock lock(m_mutex);
        for (int slot = 0; slot < kSlots; ++slot)
            if (nameOf(slot) == face)
                ++m_lives[static_cast<std::size_t>(slot)];
        m_aside.emplace(chaosNow() + kChaosRules.openFor, face);
    }
    [[nodiscard]] std::optional<QString> takeSettled() {
        const std::scoped_lock lock(m_mutex);
        if (m_aside.empty() || m_aside.begin()->first > chaosNow())
            return std::nullopt;
        return m_aside.extract(m_aside.begin()).mapped();
    }

private:
    [[nodiscard]] QString nameOf(int slot) const {
        return QStringLiteral("face-%1-%2").arg(slot).arg(m_lives[static_cast<std::size_t>(slot)]);
    }

    std::mutex m_mutex;
    std::array<int, kSlots> m_lives{};
    std::multimap<History::Time, QString> m_aside; ///< by the time when they are settled
};

/// What a complete search finds.
struct Seen {
    std::vector<std::string> faces;
    bool stale = false; ///< others may be there too
};

/// Nothing when the search is not complete.
[[nodiscard]] std::optional<Seen> searchFaces(FaceClient& client, const QJsonArray& embedding);

/// One client at both doors, who enrols and removes faces of the default keyspace, all with one photo, and looks for
/// them. Thread: its own.
class ChaosClient {
public:
    ChaosClient(const ChaosCluster& cluster, ChaosNotes& notes, ChaosFaces& faces, QString photo, QJsonArray embedding,
                std::uint32_t seed);
    void work(const std::atomic<bool>& stop);

private:
    void enrol(int door, const QString& face);
    void remove(int door, const QString& face);
    void tidy(int door);
    void look(int door, const QString& face);
    void searchAll(int door);
    [[nodiscard]] FaceClient& through(int door) { return *m_doors[static_cast<std::size_t>(door)]; }

    ChaosNotes& m_notes;
    ChaosFaces& m_faces;
    const QString m_photo;
    const QJsonArray m_embedding;
    Chance m_chance;
    std::vector<std::unique_ptr<FaceClient>> m_doors;
};

} // namespace fremis::test
