#include "coordinator/cluster/sqlite_queue.h"
#include "shared/base/log.h"

namespace fremis::coordinator {
namespace {

/// What happened to files, as far as it is known.
struct Marks {
    ResyncMarks::Content content;
    bool missing = false;
};

void noteLoss(QueueOpening& opening, bool targetsUnknown, const std::string& why) {
    opening.queueLost = true;
    opening.targetsUnknown = opening.targetsUnknown || targetsUnknown;
    opening.why += (opening.why.empty() ? "" : "; ") + why;
    base::log(base::LogLevel::Error, "write_queue_lost", {{"why", why}});
}

/// Gives every target of the database its slot. False: another node sat in it, or none did.
bool takeOver(const std::vector<TargetRow>& targets, std::vector<std::optional<ResyncMarks::Slot>>& slots) {
    std::vector<std::optional<ResyncMarks::Slot>> displaced;
    bool agreed = true;
    for (const auto& row : targets) {
        auto& slot = slots[row.number];
        if (slot && slot->node == row.node)
            continue;
        agreed = false;
        displaced.push_back(slot);
        slot = ResyncMarks::Slot{row.node, ResyncMark::Marked};
    }
    for (const auto& slot : displaced) {
        const bool known = !slot || std::any_of(targets.begin(), targets.end(),
                                                [&](const TargetRow& row) { return row.node == slot->node; });
        if (const auto free = std::find(slots.begin(), slots.end(), std::nullopt); !known && free != slots.end())
            *free = slot;
    }
    return agreed;
}

/// The database and the marks each witness what the other may have lost. True: the marks must be written anew.
bool compare(QueueDatabase& database, Marks& marks, QueueOpening& opening) {
    auto& content = marks.content;
    const bool first = marks.missing && database.targets.empty() && database.last == 0;
    if (!opening.queueLost && database.isNew && !ResyncMarks::empty(content))
        noteLoss(opening, false, "queue.sqlite is missing or empty");
    if (!takeOver(database.targets, content.slots) || content.damaged || (marks.missing && !first))
        noteLoss(opening, true, marks.missing ? "queue.marks is missing" : "queue.marks is damaged");
    if (!database.isNew && database.last < content.last)
        noteLoss(opening, false, "queue.sqlite is older than what was acknowledged");
    database.last = content.last = std::max(database.last, content.last);
    if (opening.queueLost)
        ResyncMarks::markAll(content);
    return first || opening.queueLost;
}

/// Keeps the damaged database under another name. The marks come first: from here on its targets need a resync
/// whatever happens.
base::Status putAside(QueueDisk& disk, Marks& marks) {
    ResyncMarks::markAll(marks.content);
    auto status = ResyncMarks(disk, marks.content).rewrite();
    for (const std::string ending : {"-wal", "-shm", ""}) {
        const auto name = QueueDatabase::kFile + ending;
        const auto kept = std::string(QueueDatabase::kFile) + ".damaged" + ending;
        if (!status)
            return status;
        // What is kept must not meet the WAL of one that was kept before.
        status = ending.empty() || disk.exists(name) ? disk.rename(name, kept) : disk.replace(kept, {});
    }
    return status;
}

base::Result<std::unique_ptr<QueueStore>> openOnce(const QueueOptions& options, const std::shared_ptr<QueueDisk>& disk,
                                                   Marks& marks, QueueOpening& opening) {
    if (auto made = disk->makePrivate(QueueDatabase::kFile); !made)
        return tl::unexpected(made.error());
    auto database = openQueueDatabase(options.directory / QueueDatabase::kFile, options.vfs);
    if (!database)
        return tl::unexpected(database.error());
    if (compare(*database, marks, opening))
        if (auto written = ResyncMarks(*disk, marks.content).rewrite(); !written)
            return tl::unexpected(written.error());
    const auto capacity = disk->capacity();
    const auto limit = capacity == 0 ? options.limitBytes : std::min(options.limitBytes, capacity / 5 * 4);
    auto queue = std::make_unique<SqliteQueue>(disk, limit, marks.content, std::move(*database), opening);
    if (auto loaded = queue->load(); !loaded)
        return tl::unexpected(loaded.error());
    return queue;
}

} // namespace

base::Result<std::unique_ptr<QueueStore>> openSqliteQueue(const QueueOptions& options) {
    auto disk = options.disk;
    if (!disk) {
        auto opened = openQueueDisk(options.directory);
        if (!opened)
            return tl::unexpected(opened.error());
        disk = std::move(*opened);
    }
    const auto bytes = disk->read(ResyncMarks::kFile);
    if (!bytes)
        return tl::unexpected(bytes.error());
    Marks marks{*bytes ? ResyncMarks::parse(**bytes) : ResyncMarks::Content(), !*bytes};
    if (marks.content.newer)
        return base::fail(base::Reason::BadStore,
                          "the write queue's marks were written by a newer program: install that one again");
    QueueOpening opening;
    auto queue = openOnce(options, disk, marks, opening);
    if (!queue && queue.error().reason == base::Reason::CorruptData) {
        noteLoss(opening, marks.missing || marks.content.damaged, queue.error().detail);
        if (auto done = putAside(*disk, marks); !done)
            return tl::unexpected(done.error());
        queue = openOnce(options, disk, marks, opening);
    }
    return queue;
}

} // namespace fremis::coordinator
