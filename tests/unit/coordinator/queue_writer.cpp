// A process that queues without end and says what was acknowledged, for a test that kills it.
//   queue_writer DIRECTORY FIRST
// One line per acknowledged record: its bytes, a number from FIRST on.

#include "coordinator/cluster/write_queue.h"
#include "tests/unit/coordinator/queue_fixture.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <future>

using namespace fremis;
using namespace fremis::coordinator;
using namespace fremis::coordinator::test;

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    QueueOptions options;
    options.directory = words.at(1);
    auto store = openSqliteQueue(options);
    if (!store || (*store)->opening().queueLost || !(*store)->damage().empty())
        return 1;
    base::SystemClock clock;
    WriteQueue queue(std::move(*store), clock);
    std::atomic<std::uint64_t> next{std::stoull(words.at(2))};
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i)
        clients.emplace_back([&] {
            while (true) {
                const auto text = std::to_string(next++);
                // Shared: set_value() may still be inside the promise when the waiting thread has left.
                const auto answer = std::make_shared<std::promise<bool>>();
                queue.append({record(1, text, text), record(2, text, text)}, [answer](const auto& placed) {
                    answer->set_value(placed && placed->at(0) == Placed::Queued && placed->at(1) == Placed::Queued);
                });
                if (!answer->get_future().get())
                    std::_Exit(2);
                const auto line = text + '\n';
                (void)!::write(STDOUT_FILENO, line.data(), line.size()); // as a whole or not at all
            }
        });
    clients.front().join(); // never
}
