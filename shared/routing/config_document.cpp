#include "shared/routing/config_document.h"

#include "shared/routing/text_layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace fremis::routing {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

namespace {

// A patch and its turn among patches at the same byte: new keys end an entry before the next one begins, and bytes are
// taken out last.
struct Step {
    enum class Turn { NewKey, NewEntry, Replace };
    TextPatch patch;
    Turn turn = Turn::Replace;
};

class EditPlanner {
public:
    explicit EditPlanner(const YamlDocument& document) : m_document(document), m_layout(document) {}

    Result<std::vector<TextPatch>> plan(std::span<const Edit> edits) {
        if (m_document.fault)
            return fail(Reason::InvalidConfig, "the text is not readable; edit it by hand");
        if (auto status = collectRemovals(edits); !status)
            return tl::unexpected(status.error());
        for (const Edit& edit : edits)
            if (auto status = std::visit([this](const auto& e) { return add(e); }, edit); !status)
                return tl::unexpected(status.error());
        addKeyRemovals();
        addEntryRemovals();
        return ordered();
    }

private:
    [[nodiscard]] std::size_t entryCount() const { return m_layout.nodes() == nullptr ? 0 : m_layout.nodes()->items.size(); }

    Status collectRemovals(std::span<const Edit> edits) {
        std::size_t added = 0;
        for (const Edit& edit : edits) {
            added += std::holds_alternative<InsertEntry>(edit) ? 1 : 0;
            const auto* removal = std::get_if<RemoveEntry>(&edit);
            if (removal == nullptr)
                continue;
            if (removal->at >= entryCount() || !m_removed.insert(removal->at).second)
                return fail(Reason::InvalidConfig, "no entry " + std::to_string(removal->at + 1) + " to remove");
        }
        if (!m_removed.empty() && m_removed.size() == entryCount() && (added == 0 || m_layout.nodes()->flow))
            return fail(Reason::InvalidConfig, "the last entry of nodes cannot be removed");
        return {};
    }

    [[nodiscard]] Result<const YamlNode*> mapAt(const Place& place) const {
        if (!place && m_document.root.kind == YamlNode::Kind::Map)
            return &m_document.root;
        if (place && *place < entryCount() && m_layout.nodes()->items[*place].kind == YamlNode::Kind::Map)
            return &m_layout.nodes()->items[*place];
        return fail(Reason::InvalidConfig, place ? "no entry " + std::to_string(*place + 1) + " with keys" : "no keys at the top");
    }

    void patch(std::size_t offset, std::size_t bytes, std::string inserted, Step::Turn turn) {
        m_steps.push_back({{offset, m_document.text.substr(offset, bytes), std::move(inserted)}, turn});
    }

    Status add(const SetValue& edit) {
        const auto map = mapAt(edit.place);
        if (!map)
            return tl::unexpected(map.error());
        if (std::any_of(edit.value.begin(), edit.value.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }))
            return fail(Reason::InvalidConfig, "a control character in the value of " + edit.key);
        const YamlNode* value = (*map)->find(edit.key);
        if (value == nullptr)
            return addKey(**map, edit);
        if (value->kind == YamlNode::Kind::List || value->kind == YamlNode::Kind::Map)
            return fail(Reason::InvalidConfig, edit.key + " holds a collection; edit it by hand");
        std::string text = edit.quoted ? m_layout.quotedLike(edit.value, value->isScalar() ? value : nullptr) : edit.value;
        if (value->begin == value->end)
            text.insert(0, " "); // nothing yet behind the colon
        patch(value->begin, value->end - value->begin, std::move(text), Step::Turn::Replace);
        return {};
    }

    Status addKey(const YamlNode& map, const SetValue& edit) {
        const std::string pair = edit.key + ": " + (edit.quoted ? m_layout.quotedLike(edit.value, nullptr) : edit.value);
        if (map.flow) {
            if (map.items.empty())
                patch(map.begin + 1, 0, pair, Step::Turn::NewKey);
            else
                patch(map.items.back().end, 0, ", " + pair, Step::Turn::NewKey);
            return {};
        }
        const std::string line = m_layout.keyIndent(map) + pair + std::string(m_layout.lineBreak());
        if (!edit.place && edit.key == "version")
            patch(m_document.lines.lineStart(map.begin), 0, line, Step::Turn::NewKey);
        else
            insertLines(afterLineOf(lastPair(map, edit.place)), line, Step::Turn::NewKey);
        return {};
    }

    // Top keys are put behind `version`, where people look for them, not below a long list.
    [[nodiscard]] static const YamlNode& lastPair(const YamlNode& map, const Place& place) {
        const YamlNode* version = place ? nullptr : map.find("version");
        return version != nullptr ? *version : map.items.back();
    }

    [[nodiscard]] std::size_t afterLineOf(const YamlNode& value) const {
        return m_document.lines.lineEnd(value.end > value.begin ? value.end - 1 : value.begin);
    }

    void insertLines(std::size_t offset, std::string lines, Step::Turn turn) {
        patch(offset, 0, m_layout.asLinesAt(offset, std::move(lines)), turn);
    }

    Status add(const RenameKey& edit) {
        const auto map = mapAt(edit.place);
        if (!map)
            return tl::unexpected(map.error());
        const YamlNode* key = (*map)->findKey(edit.key);
        if (key == nullptr)
            return fail(Reason::InvalidConfig, "no key " + edit.key + " to rename");
        patch(key->begin, key->end - key->begin, m_layout.quotedLike(edit.newKey, key), Step::Turn::Replace);
        return {};
    }

    // Keys go together per place: neighbours share the comma or the line between them.
    Status add(const RemoveKey& edit) {
        const auto map = mapAt(edit.place);
        if (!map)
            return tl::unexpected(map.error());
        const YamlNode* key = (*map)->findKey(edit.key);
        if (key == nullptr)
            return {};
        auto& keys = m_removedKeys[*map];
        keys.insert(static_cast<std::size_t>(key - (*map)->items.data()));
        if (keys.size() * 2 == (*map)->items.size())
            return fail(Reason::InvalidConfig, "the only keys of a place cannot be removed");
        return {};
    }

    void addKeyRemovals() {
        for (const auto& [map, keys] : m_removedKeys)
            for (auto it = keys.begin(); it != keys.end();) {
                const std::size_t first = *it;
                std::size_t last = first;
                while (++it != keys.end() && *it == last + 2)
                    last = *it;
                if (map->flow)
                    removeFlowKeys(*map, first, last);
                else
                    removeBlockKeys(*map, first, last);
            }
    }

    // `first` and `last` are places of keys in YamlNode::items.
    void removeFlowKeys(const YamlNode& map, std::size_t first, std::size_t last) {
        const auto& items = map.items;
        const bool toTheEnd = last + 2 == items.size();
        const std::size_t begin = toTheEnd ? items[first - 1].end : items[first].begin;
        const std::size_t end = toTheEnd ? items[last + 1].end : items[last + 2].begin;
        patch(begin, end - begin, {}, Step::Turn::Replace);
    }

    void removeBlockKeys(const YamlNode& map, std::size_t first, std::size_t last) {
        const auto& items = map.items;
        if (!beginsItsLine(items[first])) {
            // The pair shares its line with the dash. The next pair moves up, unless a comment stands between: then the
            // dash stays alone.
            const bool joins = last + 2 < items.size() && !hasComment(items[first + 1].end, items[last + 2].begin);
            const std::size_t end = joins ? items[last + 2].begin : items[first + 1].end;
            patch(items[first].begin, end - items[first].begin, {}, Step::Turn::Replace);
            if (joins)
                return;
            first += 2;
        }
        for (; first <= last; first += 2) {
            const std::size_t begin = m_document.lines.lineStart(items[first].begin);
            patch(begin, afterLineOf(items[first + 1]) - begin, {}, Step::Turn::Replace);
        }
    }

    [[nodiscard]] bool beginsItsLine(const YamlNode& key) const {
        const std::size_t start = m_document.lines.lineStart(key.begin);
        return std::string_view(m_document.text).substr(start, key.begin - start).find_first_not_of(' ') == std::string_view::npos;
    }

    [[nodiscard]] bool hasComment(std::size_t begin, std::size_t end) const {
        return std::string_view(m_document.text).substr(begin, end - begin).find('#') != std::string_view::npos;
    }

    Status add(const InsertEntry& edit) {
        const YamlNode* nodes = m_layout.nodes();
        if (nodes == nullptr || nodes->items.empty() || edit.at > nodes->items.size())
            return fail(Reason::InvalidConfig, "no place for an entry at " + std::to_string(edit.at + 1));
        const std::size_t like = edit.at == 0 ? 0 : edit.at - 1;
        std::string text = m_layout.entryText(edit.entry, like);
        if (nodes->flow)
            return insertFlowEntry(*nodes, edit.at, text);
        if (edit.at == 0)
            patch(m_layout.entryLines(0).begin, 0, firstEntry(std::move(text)), Step::Turn::NewEntry);
        else
            insertLines(m_layout.entryLines(like).end, std::move(text), Step::Turn::NewEntry);
        return {};
    }

    // Before the first entry the empty line goes behind.
    [[nodiscard]] std::string firstEntry(std::string text) const {
        if (!m_layout.spacedEntries())
            return text;
        const std::string lineBreak(m_layout.lineBreak());
        return text.substr(lineBreak.size()) + lineBreak;
    }

    Status insertFlowEntry(const YamlNode& nodes, std::size_t at, const std::string& text) {
        while (at > 0 && m_removed.count(at - 1) != 0 && at < nodes.items.size() && m_removed.count(at) != 0)
            --at; // inside a run that goes away: at its begin
        if (at == 0)
            patch(nodes.items.front().begin, 0, text + m_layout.separator(), Step::Turn::NewEntry);
        else
            patch(nodes.items[at - 1].end, 0, m_layout.separator() + text, Step::Turn::NewEntry);
        return {};
    }

    Status add(const RemoveEntry&) { return {}; } // together, in addEntryRemovals()

    void addEntryRemovals() {
        for (auto it = m_removed.begin(); it != m_removed.end();) {
            const std::size_t first = *it;
            std::size_t last = first;
            while (++it != m_removed.end() && *it == last + 1)
                last = *it;
            if (m_layout.nodes()->flow)
                removeFlow(first, last);
            else
                removeBlocks(first, last);
        }
    }

    void removeFlow(std::size_t first, std::size_t last) {
        const auto& items = m_layout.nodes()->items;
        const std::size_t begin = first > 0 ? items[first - 1].end : items[first].begin;
        const std::size_t end = first > 0 ? items[last].end : items[last + 1].begin;
        patch(begin, end - begin, {}, Step::Turn::Replace);
    }

    void removeBlocks(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i <= last; ++i) {
            const Extent extent = m_layout.entryLines(i);
            patch(extent.begin, extent.end - extent.begin, {}, Step::Turn::Replace);
        }
    }

    Result<std::vector<TextPatch>> ordered() {
        std::stable_sort(m_steps.begin(), m_steps.end(), [](const Step& a, const Step& b) {
            return std::pair(a.patch.offset, a.turn) < std::pair(b.patch.offset, b.turn);
        });
        std::vector<TextPatch> patches;
        std::size_t end = 0;
        for (Step& step : m_steps) {
            if (step.patch.offset < end)
                return fail(Reason::InvalidConfig, "two edits concern one place");
            end = step.patch.offset + step.patch.removed.size();
            patches.push_back(std::move(step.patch));
        }
        return patches;
    }

    const YamlDocument& m_document;
    TextLayout m_layout;
    std::set<std::size_t> m_removed;
    std::map<const YamlNode*, std::set<std::size_t>> m_removedKeys;
    std::vector<Step> m_steps;
};

} // namespace

Change Change::inverse() const {
    Change change;
    std::size_t grown = 0; // bytes added so far; wraps, which the sum undoes
    for (const TextPatch& patch : patches) {
        change.patches.push_back({patch.offset + grown, patch.inserted, patch.removed});
        grown += patch.inserted.size() - patch.removed.size();
    }
    return change;
}

ConfigDocument::ConfigDocument(std::string text, ConfigRules rules) : m_rules(std::move(rules)) { reread(std::move(text)); }
ConfigDocument::~ConfigDocument() = default;
ConfigDocument::ConfigDocument(ConfigDocument&&) noexcept = default;
ConfigDocument& ConfigDocument::operator=(ConfigDocument&&) noexcept = default;

void ConfigDocument::reread(std::string text) {
    m_document = readDocument(std::move(text));
    m_reading = readDocumentConfig(*m_document, m_rules);
}

const std::string& ConfigDocument::text() const { return m_document->text; }

std::size_t ConfigDocument::entryCount() const {
    const YamlNode* nodes = TextLayout(*m_document).nodes();
    return nodes == nullptr ? 0 : nodes->items.size();
}

std::optional<std::string> ConfigDocument::value(const Place& place, std::string_view key) const {
    const YamlNode* map = &m_document->root;
    if (place && *place >= entryCount())
        return std::nullopt;
    if (place)
        map = &TextLayout(*m_document).nodes()->items[*place];
    const YamlNode* value = map->find(key);
    return value != nullptr && value->isScalar() ? std::optional(value->value) : std::nullopt;
}

int ConfigDocument::lineOf(std::size_t entry) const {
    return entry < entryCount() ? m_document->lines.spotOf(TextLayout(*m_document).nodes()->items[entry].begin).line : 0;
}

Result<Change> ConfigDocument::apply(std::span<const Edit> edits) {
    auto patches = EditPlanner(*m_document).plan(edits);
    if (!patches)
        return tl::unexpected(patches.error());
    Change change{std::move(*patches)};
    const auto before = *this;
    if (auto status = patch(change); !status)
        return tl::unexpected(status.error());
    if (m_document->fault) {
        const std::string reason = m_document->fault->message;
        *this = before;
        return fail(Reason::InvalidConfig, "the edit would make the file unreadable: " + reason);
    }
    return change;
}

Status ConfigDocument::patch(const Change& change) {
    const std::string& old = text();
    std::string made;
    std::size_t copied = 0;
    for (const TextPatch& patch : change.patches) {
        if (patch.offset < copied || patch.offset > old.size() || old.compare(patch.offset, patch.removed.size(), patch.removed) != 0)
            return fail(Reason::InvalidConfig, "the change was made on another text");
        made.append(old, copied, patch.offset - copied);
        made += patch.inserted;
        copied = patch.offset + patch.removed.size();
    }
    made.append(old, copied);
    reread(std::move(made));
    return {};
}

} // namespace fremis::routing
