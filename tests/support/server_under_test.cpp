#include "tests/support/server_under_test.h"

#include <QtGlobal>

namespace fremis::test {

base::Result<std::unique_ptr<ServerUnderTest>> ServerUnderTest::startReady() {
    auto server = std::make_unique<ServerUnderTest>();
    const int workers = qEnvironmentVariableIntValue("FREMIS_TEST_WORKERS");
    if (workers == 0) {
        auto worker = AppProcess::startReady();
        if (!worker)
            return tl::unexpected(worker.error());
        server->m_worker = std::move(*worker);
    } else {
        auto cluster = TestCluster::start({.workers = workers});
        if (!cluster)
            return tl::unexpected(cluster.error());
        server->m_cluster = std::move(*cluster);
    }
    return server;
}

} // namespace fremis::test
