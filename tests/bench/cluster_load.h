#pragma once

#include "tests/bench/measure.h"
#include "tests/bench/prepared_faces.h"
#include "tests/support/http_client.h"
#include "tests/support/test_cluster.h"

namespace fremis::bench {

/// Ends the program with `what` unless it is `good`.
void require(bool good, const std::string& what);

[[nodiscard]] std::unique_ptr<test::TestCluster> startCluster(test::ClusterOptions options);
/// So many faces over the whole cluster, on the workers that own them; answers where more of them come from.
PreparedFaces fillEach(const test::TestCluster& cluster, int faces);

/// A search by embedding: no photo, so no model.
[[nodiscard]] std::string searchBody(const std::vector<float>& embedding, int candidates);

/// One client with a kept connection. Thread: one.
class SearchClient {
public:
    explicit SearchClient(int port) : m_http("127.0.0.1", port) {}
    /// Milliseconds. Any answer but 200 ends the program.
    double search(const std::string& question);
    [[nodiscard]] std::size_t replyBytes() const { return m_replyBytes; } ///< of the last one

private:
    test::HttpClient m_http;
    std::size_t m_replyBytes = 0;
};

struct Load {
    double perSecond = 0;
    std::vector<double> times; ///< milliseconds
};
/// Clients that each ask again as soon as they have an answer.
[[nodiscard]] Load searchTogether(int port, const std::string& question, int clients, double seconds);

void replay(int faces);
void memory(int seconds, int deletesPerSecond);

} // namespace fremis::bench
