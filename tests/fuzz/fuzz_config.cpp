// The config reader and editor on any bytes. Besides not crashing: a refusal has a place and one line, what is accepted owns
// every partition, an edit of it reads back as meant and can be undone, and the canonical form is stable.
#include "shared/routing/config_document.h"
#include "shared/routing/partition_map.h"
#include "shared/routing/plan_output.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace fremis::routing;

namespace {

void require(bool fact) {
    if (!fact)
        std::abort();
}

void requireSoundProblems(const ConfigReading& reading) {
    for (const Problem& problem : reading.problems) {
        require(!problem.message.empty() && problem.message.find('\n') == std::string::npos);
        require(problem.line >= 0 && problem.column >= (problem.line > 0 ? 1 : 0));
    }
    require(reading.ok() != hasErrors(reading.problems));
    require(reading.ok() == reading.firstError("f").empty());
}

// Every mend on offer can be made and taken back.
void requireSoundFixes(const ConfigDocument& document) {
    int left = 16; // a faulty file may offer thousands
    for (const Problem& problem : document.reading().problems)
        for (const QuickFix& fix : problem.fixes) {
            if (left-- == 0)
                return;
            ConfigDocument mended = document;
            const auto change = mended.apply(fix.edits);
            if (!change)
                continue;
            require(mended.patch(change->inverse()).has_value());
            require(mended.text() == document.text());
        }
}

void requireSoundConfig(const ConfigDocument& document) {
    const ClusterConfig& config = *document.reading().config;
    require(PartitionMap(config).isComplete());
    const auto written = readConfig(configText(config));
    require(written.ok() && epochOf(*written.config) == epochOf(config));
    require(document.editsTo(config)->empty());
    ConfigDocument edited = document;
    const auto change = edited.apply(setWeight(0, Weight::hundredths(25)));
    if (!change)
        return; // the document says why; an entry may be written in a way that only people can edit
    require(edited.value(0, "weight") == "0.25");
    require(edited.patch(change->inverse()).has_value());
    require(edited.text() == document.text());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ConfigDocument document(std::string(reinterpret_cast<const char*>(data), size));
    requireSoundProblems(document.reading());
    requireSoundFixes(document);
    if (document.reading().ok())
        requireSoundConfig(document);
    return 0;
}
