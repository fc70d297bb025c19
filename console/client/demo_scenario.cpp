#include "console/client/demo_world.h"
#include "console/client/json_reader.h"

namespace fremis::console {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kMostNodes = 256;

std::optional<DemoFault> faultOf(const QString& word) {
    static const QHash<QString, DemoFault> words{{u"die"_s, DemoFault::Dead},    {u"hang"_s, DemoFault::Hangs},
                                                 {u"slow"_s, DemoFault::Slow},   {u"fail"_s, DemoFault::Fails},
                                                 {u"lock"_s, DemoFault::Locked}, {u"garble"_s, DemoFault::Malformed},
                                                 {u"heal"_s, DemoFault::None}};
    const auto found = words.constFind(word);
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

Milliseconds secondsOf(const JsonReader& json, QLatin1StringView key) {
    return Milliseconds(static_cast<qint64>(json.number(key).value_or(0) * 1000));
}

DemoStep stepOf(const JsonReader& json) {
    DemoStep step;
    step.at = secondsOf(json, "at_s"_L1);
    step.node = json.text("node"_L1);
    const auto fault = faultOf(json.text("do"_L1));
    if (!fault)
        json.fail("do"_L1, u"is not a word of scenarios"_s);
    step.fault = fault.value_or(DemoFault::None);
    step.delay = Milliseconds(json.integer("delay_ms"_L1).value_or(step.delay.count()));
    return step;
}

} // namespace

base::Result<DemoScenario> readScenario(const QByteArray& json) {
    return readJson(
        json,
        [](const JsonReader& file) {
            DemoScenario scenario;
            scenario.nodes = static_cast<int>(file.integer("nodes"_L1).value_or(scenario.nodes));
            scenario.replication = static_cast<int>(file.integer("replication"_L1).value_or(1));
            scenario.vectors = file.count("vectors"_L1).value_or(scenario.vectors);
            scenario.enrollmentsPerSecond = file.number("enrollments_per_s"_L1).value_or(0);
            scenario.singleCopies = file.truth("single_copies"_L1).value_or(false);
            scenario.repeatAfter = secondsOf(file, "repeat_after_s"_L1);
            for (const auto& step : file.objects("steps"_L1))
                scenario.steps.append(stepOf(step));
            std::stable_sort(scenario.steps.begin(), scenario.steps.end(),
                             [](const DemoStep& a, const DemoStep& b) { return a.at < b.at; });
            const int most = scenario.singleCopies ? scenario.nodes - 1 : scenario.nodes;
            if (scenario.nodes < 1 || scenario.nodes > kMostNodes)
                file.fail("nodes"_L1, u"is not 1 to 256"_s);
            else if (scenario.replication < 1 || scenario.replication > most)
                file.fail("replication"_L1, u"is not 1 to the number of nodes"_s);
            return scenario;
        },
        base::Reason::InvalidJson);
}

DemoScenario standardScenario() {
    DemoScenario scenario;
    scenario.repeatAfter = 240s;
    scenario.steps = {{25s, u"worker-7"_s, DemoFault::Dead, {}},     {70s, u"worker-7"_s, DemoFault::None, {}},
                      {110s, u"worker-3"_s, DemoFault::Slow, 900ms}, {140s, u"worker-3"_s, DemoFault::None, {}},
                      {160s, u"worker-2"_s, DemoFault::Dead, {}},    {200s, u"worker-2"_s, DemoFault::None, {}}};
    return scenario;
}

} // namespace fremis::console
