#pragma once

#include <QtTest>

#include <functional>
#include <optional>
#include <string>

namespace fremis::sim {

/// The one seed to run, from FREMIS_SIM_SEED.
inline std::optional<std::uint64_t> replayedSeed() {
    bool ok = false;
    const auto seed = qEnvironmentVariable("FREMIS_SIM_SEED").toULongLong(&ok);
    return ok ? std::optional<std::uint64_t>(seed) : std::nullopt;
}

/// Runs `check` for the seeds 1..count, or for the replayed one. It tells what is wrong; the first failure of the test
/// comes with the command that replays it.
inline void overSeeds(std::uint64_t count, const std::function<std::string(std::uint64_t)>& check) {
    const auto last = replayedSeed().value_or(count);
    for (auto seed = replayedSeed().value_or(1); seed <= last; ++seed)
        if (const auto failure = check(seed); !failure.empty()) {
            const auto command = "FREMIS_SIM_SEED=" + std::to_string(seed) + " " +
                                 QCoreApplication::applicationFilePath().toStdString() + " " +
                                 QTest::currentTestFunction();
            QFAIL(("seed " + std::to_string(seed) + ": " + failure + "\nreplay: " + command).c_str());
        }
}

} // namespace fremis::sim
