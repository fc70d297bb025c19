#include "console/client/entry_order.h"

#include "shared/routing/raw_config.h"
#include "shared/routing/text_layout.h"

#include <algorithm>
#include <vector>

namespace fremis::console {

using namespace routing;

namespace {

struct Block {
    Extent extent;
    int start = 0;
    std::string text;
};

std::optional<int> startOf(const YamlNode& entry) {
    const YamlNode* value = entry.find("partition_start");
    return value != nullptr && value->isScalar() ? parsePlainDecimal(value->value) : std::nullopt;
}

} // namespace

base::Result<std::string> sortedByPartition(const std::string& text) {
    const auto document = readDocument(text);
    const TextLayout layout(*document);
    const YamlNode* nodes = layout.nodes();
    if (document->fault || nodes == nullptr)
        return base::fail(base::Reason::InvalidConfig, "the text has no list of nodes that can be read");
    std::vector<Block> blocks;
    for (std::size_t entry = 0; entry < nodes->items.size(); ++entry) {
        const auto start = startOf(nodes->items[entry]);
        if (!start)
            return base::fail(base::Reason::InvalidConfig,
                              "entry " + std::to_string(entry + 1) + " has no readable partition_start");
        const Extent extent =
            nodes->flow ? Extent{nodes->items[entry].begin, nodes->items[entry].end} : layout.entryLines(entry);
        blocks.push_back({extent, *start, text.substr(extent.begin, extent.end - extent.begin)});
        if (!nodes->flow && !blocks.back().text.ends_with('\n')) // the last line of the file
            blocks.back().text += layout.lineBreak();
    }
    std::vector<Block> sorted = blocks;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Block& a, const Block& b) { return a.start < b.start; });
    std::string made;
    std::size_t copied = 0;
    for (std::size_t place = 0; place < blocks.size(); ++place) {
        made += text.substr(copied, blocks[place].extent.begin - copied) + sorted[place].text;
        copied = blocks[place].extent.end;
    }
    made += text.substr(copied);
    if (!text.ends_with('\n') && made.ends_with('\n') && !nodes->flow)
        made.erase(made.size() - layout.lineBreak().size());
    return made;
}

} // namespace fremis::console
