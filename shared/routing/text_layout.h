#pragma once

#include "shared/routing/config_edit.h"
#include "shared/routing/raw_config.h"

#include <string>
#include <string_view>

namespace fremis::routing {

/// Bytes [begin, end).
struct Extent {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// How a config.yml is laid out: where its entries begin and end with their comments, and how it writes them.
class TextLayout {
public:
    explicit TextLayout(const YamlDocument& document);

    [[nodiscard]] const YamlNode* nodes() const { return m_nodes; } ///< the list, or null
    [[nodiscard]] std::string_view lineBreak() const { return m_lineBreak; }

    /// Whole lines of an entry of a block list: the comment lines right above its dash, its keys, the deeper comments below.
    [[nodiscard]] Extent entryLines(std::size_t entry) const;

    /// The keys of a new entry as this file writes entries, lines ended by lineBreak(); for a list in brackets "{...}".
    [[nodiscard]] std::string entryText(const NodeEntry& entry, std::size_t likeEntry) const;
    /// What stands between two entries of a list in brackets.
    [[nodiscard]] std::string separator() const;
    /// True when the file leaves an empty line between entries.
    [[nodiscard]] bool spacedEntries() const;

    /// A text value in the manner of `like` (its quotes), or of the file's addresses when there is no such value.
    [[nodiscard]] std::string quotedLike(std::string_view value, const YamlNode* like) const;

    /// Spaces up to where an item's keys begin.
    [[nodiscard]] std::string keyIndent(const YamlNode& map) const;
    /// Puts lines at `offset`, the begin of a line or the end of the text; there the last line may lack its break.
    [[nodiscard]] std::string asLinesAt(std::size_t offset, std::string lines) const;

private:
    [[nodiscard]] std::size_t dashOf(const YamlNode& item) const;
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> pairsOf(const NodeEntry& entry, const YamlNode& like) const;

    const YamlDocument& m_document;
    const YamlNode* m_nodes = nullptr;
    std::string_view m_lineBreak = "\n";
};

} // namespace fremis::routing
