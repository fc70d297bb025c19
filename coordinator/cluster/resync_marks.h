#pragma once

#include "coordinator/cluster/queue_disk.h"
#include "coordinator/cluster/queue_entry.h"

namespace fremis::coordinator {

/// The file queue.marks: which nodes the queue serves, which of them need a full resync, and the last sequence that was
/// acknowledged. It is made at its full length and only overwritten, so that marking works on a full disk; and it is a
/// second witness, which tells when the database has lost something. Layout: resources/decisions/write-queue.md.
/// Thread: the queue's.
class ResyncMarks {
public:
    static constexpr std::size_t kSlots = 1024;
    static constexpr auto kFile = "queue.marks";

    struct Slot {
        storage::NodeId node{};
        ResyncMark mark = ResyncMark::None;
    };
    /// What a file's bytes say.
    struct Content {
        Sequence last = 0;
        std::vector<std::optional<Slot>> slots = std::vector<std::optional<Slot>>(kSlots);
        bool damaged = false; ///< some of it could not be read; the rest is there
        bool newer = false;   ///< of a format that this program does not know
    };
    [[nodiscard]] static Content parse(std::string_view bytes);
    static void markAll(Content& content);
    /// No node is known.
    [[nodiscard]] static bool empty(const Content& content);

    /// Does not touch the disk yet: rewrite() makes the file.
    ResyncMarks(QueueDisk& disk, Content content) : m_disk(disk), m_content(std::move(content)) {}

    [[nodiscard]] const std::vector<std::optional<Slot>>& slots() const { return m_content.slots; }

    // Durable when they return, but for noteSequence().
    [[nodiscard]] base::Status rewrite();
    [[nodiscard]] base::Status put(std::size_t number, const Slot& slot);
    [[nodiscard]] base::Status mark(std::size_t number, ResyncMark mark);
    [[nodiscard]] base::Status clear(std::size_t number);
    /// To be called once everything up to `sequence` is durable in the database. Not synced: a killed process keeps it,
    /// and after a power cut it lags, which never raises a false alarm.
    void noteSequence(Sequence sequence);
    /// A sync has failed: nothing may be acknowledged any more.
    [[nodiscard]] bool syncFailed() const { return m_syncFailed; }

private:
    [[nodiscard]] base::Status overwrite(std::uint64_t offset, std::string_view bytes);

    QueueDisk& m_disk;
    Content m_content;
    bool m_syncFailed = false;
};

} // namespace fremis::coordinator
