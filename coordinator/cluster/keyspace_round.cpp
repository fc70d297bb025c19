#include "coordinator/cluster/keyspace_round.h"

#include "shared/wire/internal.h"

#include <algorithm>
#include <set>

namespace fremis::coordinator {

using namespace std::chrono_literals;
namespace internal = wire::internal;

namespace {

constexpr auto kKeyspaceTime = 2'000ms;

/// What each of them knows, then all of it to each when they do not know the same.
class KeyspaceRound : public std::enable_shared_from_this<KeyspaceRound> {
public:
    KeyspaceRound(Cluster& cluster, std::function<void()> done)
        : m_cluster(cluster), m_view(cluster.view()), m_done(std::move(done)) {}

    void begin() {
        for (const auto& peer : m_view->peers)
            if (peer->isComparable())
                m_told.push_back({peer, {}});
        m_waiting = m_told.size() + 1;
        for (std::size_t i = 0; i < m_told.size(); ++i)
            call(m_told[i].peer, internal::kKeyspaceRecordsPath, "{}",
                 [self = shared_from_this(), i](const std::string& body) {
                     if (auto reply = internal::readKeyspaceRecords(body))
                         self->m_told[i].reply = std::move(*reply);
                     self->landed();
                 });
        landed();
    }

private:
    struct Told {
        std::shared_ptr<Peer> peer;
        std::optional<internal::KeyspaceRecordsReply> reply; ///< none: it did not answer
    };
    using Records = std::vector<internal::Record>;

    /// `then` gets an empty body when there was no answer.
    void call(const std::shared_ptr<Peer>& peer, std::string_view path, std::string body,
              std::function<void(const std::string& body)> then) {
        m_cluster.call(peer,
                       {.target = std::string(path),
                        .plane = Call::Plane::Internal,
                        .body = std::move(body),
                        .deadline = m_cluster.environment().steady() + kKeyspaceTime},
                       [then = std::move(then)](const CallResult& result) {
                           then(result && result->status == 200 ? result->body : std::string());
                       });
    }

    void landed() {
        if (--m_waiting > 0)
            return;
        std::erase_if(m_told, [](const auto& told) { return !told.reply; });
        std::set<internal::Record> all;
        std::set<internal::Digest> digests;
        for (const auto& told : m_told) {
            digests.insert(told.reply->digest);
            all.insert(told.reply->records.begin(), told.reply->records.end());
        }
        m_waiting = 1;
        const auto records = std::make_shared<const Records>(all.begin(), all.end());
        for (std::size_t i = 0; digests.size() > 1 && i < m_told.size(); ++i) {
            ++m_waiting;
            apply(m_told[i].peer, records, 0);
        }
        ended();
    }

    void apply(const std::shared_ptr<Peer>& peer, std::shared_ptr<const Records> records, std::size_t from) {
        if (from >= records->size())
            return ended();
        const auto until = std::min(records->size(), from + internal::kMaxRecords);
        const auto at = [&](std::size_t place) { return records->begin() + static_cast<std::ptrdiff_t>(place); };
        const internal::ApplyRequest request{m_view->map.epoch(), Records(at(from), at(until)), true};
        call(peer, internal::kApplyPath, internal::toJson(request),
             [self = shared_from_this(), peer, records, until](const std::string& body) {
                 body.empty() ? self->ended() : self->apply(peer, records, until);
             });
    }

    void ended() {
        if (--m_waiting == 0)
            m_done();
    }

    Cluster& m_cluster;
    const std::shared_ptr<const View> m_view;
    const std::function<void()> m_done;
    std::vector<Told> m_told;
    std::size_t m_waiting = 0;
};

} // namespace

void shareKeyspacesOnce(Cluster& cluster, std::function<void()> done) {
    std::make_shared<KeyspaceRound>(cluster, std::move(done))->begin();
}

} // namespace fremis::coordinator
