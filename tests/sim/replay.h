#pragma once

#include <QtTest>

#include <functional>
#include <optional>
#include <string>

namespace fremis::sim {

/// Which seeds a run takes: first, first + step, ..., not above last.
struct Seeds {
    std::uint64_t first = 1;
    std::uint64_t last = 0;
    std::uint64_t step = 1;
};

/// FREMIS_SIM_SEED: the one seed to run ("17"), or several ("17-90").
inline std::optional<Seeds> chosenSeeds() {
    const auto ends = qEnvironmentVariable("FREMIS_SIM_SEED").split(u'-');
    bool isFirst = false;
    bool isLast = false;
    const Seeds chosen{ends.first().toULongLong(&isFirst), ends.last().toULongLong(&isLast)};
    return isFirst && isLast && ends.size() <= 2 ? std::optional(chosen) : std::nullopt;
}

/// FREMIS_SIM_SHARD: a part of the seeds, such as "2/4" for the second of four processes that share them.
inline Seeds shardOf(std::uint64_t count) {
    const auto shard = qEnvironmentVariable("FREMIS_SIM_SHARD", QStringLiteral("1/1")).split(u'/');
    return {shard.first().toULongLong(), count, std::max<std::uint64_t>(shard.last().toULongLong(), 1)};
}

/// Runs `check` for the seeds 1..count, or for the chosen ones. It tells what is wrong; the first failure comes with
/// the command that replays it, and the others by their numbers.
inline void overSeeds(std::uint64_t count, const std::function<std::string(std::uint64_t)>& check) {
    const auto seeds = chosenSeeds().value_or(shardOf(count));
    std::string failures;
    for (auto seed = seeds.first; seed <= seeds.last; seed += seeds.step)
        if (const auto failure = check(seed); !failure.empty())
            failures += failures.empty()
                            ? "seed " + std::to_string(seed) + ": " + failure +
                                  "\nreplay: FREMIS_SIM_SEED=" + std::to_string(seed) + " " +
                                  QCoreApplication::applicationFilePath().toStdString() + " " +
                                  QTest::currentTestFunction()
                            : "\nand seed " + std::to_string(seed) + ": " + failure.substr(0, failure.find('\n'));
    if (!failures.empty())
        QFAIL(failures.c_str());
}

} // namespace fremis::sim
