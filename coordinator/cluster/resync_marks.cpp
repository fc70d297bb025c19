#include "coordinator/cluster/resync_marks.h"

#include "coordinator/cluster/checksum.h"

#include <bit>
#include <cstring>

namespace fremis::coordinator {
namespace {

// Little-endian. Header: magic (8), format (4), number of slots (4), last sequence (8), its checksum (8), checksum of
// format and slots (8), zeros. Slot: node id (16; zeros: free), checksum of number and id (8), mark (1), zeros (7). No
// slot crosses a sector of 512 bytes.
constexpr std::string_view kMagic = "FRMQMARK";
constexpr std::uint32_t kMarksFormat = 1;
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kSlotBytes = 32;
constexpr std::size_t kLastAt = 16;
constexpr std::size_t kFormatSumAt = 32;
constexpr std::size_t kMarkAt = 24; ///< in the slot
constexpr std::size_t kFileBytes = kHeaderBytes + ResyncMarks::kSlots * kSlotBytes;

// Four bits or more apart, so that a flipped one changes nothing. What is none of them means Marked.
constexpr unsigned char kNone = 0;
constexpr unsigned char kRunning = 0xf0;
constexpr unsigned char kMarked = 0xff;

std::size_t placeOf(std::size_t number) {
    return kHeaderBytes + number * kSlotBytes;
}

std::uint64_t sumOf(std::size_t number, const storage::NodeId& node) {
    return Checksum().add(static_cast<std::uint64_t>(number)).add(node).value();
}

char byteOf(ResyncMark mark) {
    return static_cast<char>(mark == ResyncMark::None ? kNone : mark == ResyncMark::Running ? kRunning : kMarked);
}

ResyncMark markOf(char byte) {
    const auto isNearly = [byte](unsigned char code) {
        return std::popcount(static_cast<unsigned char>(static_cast<unsigned char>(byte) ^ code)) <= 1;
    };
    return isNearly(kNone) ? ResyncMark::None : isNearly(kRunning) ? ResyncMark::Running : ResyncMark::Marked;
}

std::uint64_t formatSum(std::uint32_t format, std::uint32_t slots) {
    return Checksum().add(format).add(slots).value();
}

std::string lastBytes(Sequence last) {
    std::string bytes;
    appendNumber(bytes, last);
    appendNumber(bytes, Checksum().add(last).value());
    return bytes;
}

std::string slotBytes(std::size_t number, const ResyncMarks::Slot& slot) {
    std::string bytes(reinterpret_cast<const char*>(slot.node.data()), slot.node.size());
    appendNumber(bytes, sumOf(number, slot.node));
    bytes += byteOf(slot.mark);
    bytes.resize(kSlotBytes);
    return bytes;
}

void parseSlot(std::size_t number, std::string_view bytes, ResyncMarks::Content& content) {
    ResyncMarks::Slot slot;
    std::memcpy(slot.node.data(), bytes.data(), slot.node.size());
    slot.mark = markOf(bytes[kMarkAt]);
    if (numberAt<std::uint64_t>(bytes, slot.node.size()) != sumOf(number, slot.node))
        content.damaged = true;
    else if (slot.node != storage::NodeId{})
        content.slots[number] = slot;
}

} // namespace

ResyncMarks::Content ResyncMarks::parse(std::string_view bytes) {
    Content content;
    content.damaged = bytes.size() != kFileBytes || !bytes.starts_with(kMagic);
    if (content.damaged)
        return content;
    const auto format = numberAt<std::uint32_t>(bytes, kMagic.size());
    const auto slots = numberAt<std::uint32_t>(bytes, kMagic.size() + 4);
    if (numberAt<std::uint64_t>(bytes, kFormatSumAt) == formatSum(format, slots))
        content.newer = format > kMarksFormat;
    else
        content.damaged = true;
    if (content.newer)
        return content;
    content.last = numberAt<std::uint64_t>(bytes, kLastAt);
    if (numberAt<std::uint64_t>(bytes, kLastAt + 8) != Checksum().add(content.last).value()) {
        content.last = 0;
        content.damaged = true;
    }
    for (std::size_t i = 0; i < kSlots; ++i)
        parseSlot(i, bytes.substr(placeOf(i), kSlotBytes), content);
    return content;
}

void ResyncMarks::markAll(Content& content) {
    for (auto& slot : content.slots)
        if (slot)
            slot->mark = ResyncMark::Marked;
}

bool ResyncMarks::empty(const Content& content) {
    return std::none_of(content.slots.begin(), content.slots.end(), [](const auto& slot) { return slot.has_value(); });
}

base::Status ResyncMarks::rewrite() {
    std::string bytes(kMagic);
    appendNumber(bytes, kMarksFormat);
    appendNumber(bytes, static_cast<std::uint32_t>(kSlots));
    bytes += lastBytes(m_content.last);
    appendNumber(bytes, formatSum(kMarksFormat, kSlots));
    bytes.resize(kHeaderBytes);
    for (std::size_t i = 0; i < kSlots; ++i)
        bytes += slotBytes(i, slots()[i].value_or(Slot()));
    return m_disk.replace(kFile, bytes);
}

base::Status ResyncMarks::put(std::size_t number, const Slot& slot) {
    auto written = overwrite(placeOf(number), slotBytes(number, slot));
    if (written)
        m_content.slots[number] = slot;
    return written;
}

base::Status ResyncMarks::mark(std::size_t number, ResyncMark mark) {
    const char byte = byteOf(mark);
    auto written = overwrite(placeOf(number) + kMarkAt, std::string_view(&byte, 1));
    if (written)
        m_content.slots[number]->mark = mark;
    return written;
}

base::Status ResyncMarks::clear(std::size_t number) {
    auto written = overwrite(placeOf(number), slotBytes(number, Slot()));
    if (written)
        m_content.slots[number].reset();
    return written;
}

void ResyncMarks::noteSequence(Sequence sequence) {
    m_content.last = std::max(m_content.last, sequence);
    // Without it the witness knows less; the database has the record all the same.
    (void)m_disk.overwrite(kFile, kLastAt, lastBytes(m_content.last));
}

base::Status ResyncMarks::overwrite(std::uint64_t offset, std::string_view bytes) {
    if (auto written = m_disk.overwrite(kFile, offset, bytes); !written)
        return written;
    auto synced = m_disk.sync(kFile);
    m_syncFailed = m_syncFailed || !synced;
    return synced;
}

} // namespace fremis::coordinator
