#pragma once

#include "shared/routing/config_reader.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fremis::routing {

struct YamlDocument;

/// Bytes `removed` at `offset` of the text before give way to `inserted`.
struct TextPatch {
    std::size_t offset = 0;
    std::string removed;
    std::string inserted;
    bool operator==(const TextPatch&) const = default;
};

/// What an edit did to the text: patches by ascending offset, all in terms of the text before. Kept for undo.
struct Change {
    std::vector<TextPatch> patches;
    [[nodiscard]] Change inverse() const;
};

/// A config.yml under edit. Outside the lines an edit is about, every byte stays: comments, order, quoting, line ends.
/// The text may be faulty: whatever YAML structure can be read can be edited.
class ConfigDocument {
public:
    explicit ConfigDocument(std::string text, ConfigRules rules = {});
    ~ConfigDocument();
    ConfigDocument(ConfigDocument&&) noexcept;
    ConfigDocument& operator=(ConfigDocument&&) noexcept;
    ConfigDocument(const ConfigDocument&) = default;
    ConfigDocument& operator=(const ConfigDocument&) = default;

    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] const ConfigReading& reading() const { return m_reading; }
    [[nodiscard]] std::size_t entryCount() const;
    /// The value of a key as the file means it (unquoted); empty when the key is missing.
    [[nodiscard]] std::optional<std::string> value(const Place& place, std::string_view key) const;
    /// 1-based line of an entry's first key.
    [[nodiscard]] int lineOf(std::size_t entry) const;

    /// All edits at once; entry numbers are those before the call. Fails with Reason::InvalidConfig and leaves the document
    /// as it was when an edit does not fit (no such entry, two edits of one place, text that is not readable YAML).
    [[nodiscard]] base::Result<Change> apply(std::span<const Edit> edits);
    [[nodiscard]] base::Result<Change> apply(const Edit& edit) { return apply(std::span(&edit, 1)); }
    /// Undo (with the inverse) or redo. Fails when the text is not the one the change was made on.
    [[nodiscard]] base::Status patch(const Change& change);

    /// The edits that make the nodes' ranges those of `wanted` (entries with equal addresses together): ranges of kept nodes
    /// are changed in place, new entries follow the entry that owns the partition before theirs. Name and weight of
    /// wanted entries are written too when they differ.
    [[nodiscard]] base::Result<std::vector<Edit>> editsTo(const ClusterConfig& wanted) const;

private:
    void reread(std::string text);

    ConfigRules m_rules;
    std::shared_ptr<const YamlDocument> m_document;
    ConfigReading m_reading;
};

} // namespace fremis::routing
