#include "tests/support/server_under_test.h"

#include <QtGlobal>

namespace fremis::test {

ClusterOptions clusterUnderTest() {
    return {.workers = qEnvironmentVariableIntValue("FREMIS_TEST_WORKERS"),
            .replicas = qMax(1, qEnvironmentVariableIntValue("FREMIS_TEST_REPLICAS"))};
}

base::Result<std::unique_ptr<ServerUnderTest>> ServerUnderTest::startReady() {
    auto server = std::make_unique<ServerUnderTest>();
    const auto options = clusterUnderTest();
    if (options.workers == 0) {
        auto worker = AppProcess::startReady();
        if (!worker)
            return tl::unexpected(worker.error());
        server->m_worker = std::move(*worker);
    } else {
        auto cluster = TestCluster::start(options);
        if (!cluster)
            return tl::unexpected(cluster.error());
        server->m_cluster = std::move(*cluster);
    }
    return server;
}

} // namespace fremis::test
