#pragma once

#include "tests/support/test_cluster.h"

namespace fremis::test {

/// The cluster that $FREMIS_TEST_WORKERS (default: none) and $FREMIS_TEST_REPLICAS (default: 1) ask for.
[[nodiscard]] ClusterOptions clusterUnderTest();

/// What a contract test talks to: one worker, or a coordinator over as many as clusterUnderTest() says. To a client
/// they are the same. Thread: as AppProcess.
class ServerUnderTest {
public:
    [[nodiscard]] static base::Result<std::unique_ptr<ServerUnderTest>> startReady();

    [[nodiscard]] int port() const { return front().port(); }
    [[nodiscard]] int monitoringPort() const { return front().monitoringPort(); }
    /// SIGTERM; the exit code as TestCluster::stop().
    [[nodiscard]] std::optional<int> stop() { return m_cluster ? m_cluster->stop() : m_worker->stop(); }

private:
    [[nodiscard]] AppProcess& front() const { return m_cluster ? m_cluster->coordinator() : *m_worker; }

    std::unique_ptr<AppProcess> m_worker; ///< or:
    std::unique_ptr<TestCluster> m_cluster;
};

} // namespace fremis::test
