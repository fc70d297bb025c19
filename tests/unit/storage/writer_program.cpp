// A process that enrols without end and says what was acknowledged, for a test that kills it.
//   storage_writer sqlite DIRECTORY FIRST
//   storage_writer postgres SOCKET_DIRECTORY PORT DATABASE FIRST      (password in $PGPASSWORD)
// One line per acknowledged enrolment: "face variation". Faces are numbered from FIRST; every fifth one is deleted
// again, which says "deleted face".

#include "shared/hashing/partition.h"
#include "shared/storage/group_commit.h"
#include "shared/storage/postgres/postgres_store.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/unit/storage/store_fixture.h"

#include <unistd.h>

#include <cstdlib>

using namespace fremis;
using namespace fremis::storage;
using fremis::storage::test::Ops;

namespace {

base::Result<std::unique_ptr<EnrollmentStore>> openStore(const std::vector<std::string>& words) {
    if (words.at(1) == "sqlite")
        return openSqlite({words.at(2), {}, nullptr});
    PostgresOptions options;
    options.host = words.at(2);
    options.port = std::stoi(words.at(3));
    options.database = words.at(4);
    options.user = fremis::test::PostgresServer::user();
    options.password = std::getenv("PGPASSWORD");
    options.nodeId.fill(1);
    options.partitions = hashing::PartitionSet::all();
    return openPostgres(options);
}

/// One write(2) per line: a line is there as a whole or not at all.
void say(const std::string& line) {
    (void)!::write(STDOUT_FILENO, line.data(), line.size());
}

} // namespace

int main(int argc, char** argv) {
    fremis::storage::test::logErrorsOnly();
    const std::vector<std::string> words(argv, argv + argc);
    auto store = openStore(words);
    if (!store || !(*store)->ping() ||
        !(*store)->claimSpace({fremis::storage::test::kSpace, fremis::storage::test::StoreFixture::kDimension}))
        return 1;
    base::SystemClock clock;
    base::VersionClock versions(clock, 1);
    versions.observe((*store)->lastVersion().value());
    const Ops ops{deriveIncarnation(base::KeyspaceName::trusted("default"), {})};
    GroupCommit commits(**store);
    std::atomic<std::uint64_t> next{std::stoull(words.back())};
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i)
        clients.emplace_back([&] {
            while (true) {
                const auto number = next++;
                const auto face = std::to_string(number);
                auto add = ops.add(face, number, 0, number + 1);
                add.row.version = versions.next();
                if (const auto done = commits.commit(add); !done || done->effect != Effect::Applied)
                    std::_Exit(2);
                say(face + ' ' + face + '\n');
                if (number % 5 != 0)
                    continue;
                auto remove = ops.remove(face, 0);
                remove.version = versions.next();
                say("deleting " + face + '\n'); // from here on it may be gone
                if (const auto done = commits.commit(remove); !done || done->rowsRemoved != 1)
                    std::_Exit(3);
                say("deleted " + face + '\n');
            }
        });
    clients.front().join(); // never
}
