#pragma once

#include "coordinator/cluster/queue_store.h"
#include "shared/base/log.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace fremis::coordinator::test {

using namespace std::chrono_literals;

[[nodiscard]] inline storage::NodeId node(std::uint8_t number) {
    storage::NodeId id{};
    id.fill(number);
    return id;
}

[[nodiscard]] inline QueueRecord record(std::uint8_t target, const std::string& face, const std::string& bytes,
                                        QueuedKind kind = QueuedKind::Enrollment) {
    QueueRecord made{node(target), kind, {}, std::nullopt, "incarnation", face, bytes};
    if (kind != QueuedKind::Keyspace)
        made.partition = static_cast<base::Partition>(face.back());
    return made;
}

/// A queue in a directory of its own: in memory for rules, on the disk for durability.
class QueueFixture {
public:
    explicit QueueFixture(bool onDisk = false)
        : m_directory(onDisk || !QFile::exists(QStringLiteral("/dev/shm")) ? QDir::tempPath() + QStringLiteral("/queue")
                                                                           : QStringLiteral("/dev/shm/queue")) {
        options.directory = m_directory.path().toStdString() + "/data";
        base::setLogLevel(static_cast<base::LogLevel>(static_cast<int>(base::LogLevel::Error) + 1)); // alarms are meant
    }
    [[nodiscard]] base::Status open() {
        m_store.reset();
        auto opened = openSqliteQueue(options);
        if (!opened)
            return tl::unexpected(opened.error());
        m_store = std::move(*opened);
        return {};
    }
    void close() { m_store.reset(); }
    [[nodiscard]] QueueStore& store() { return *m_store; }
    [[nodiscard]] std::unique_ptr<QueueStore> release() { return std::move(m_store); }
    [[nodiscard]] QString file(const char* name) const {
        return QString::fromStdString(options.directory.string()) + QLatin1Char('/') + QLatin1String(name);
    }

    /// Appends and checks that all were queued.
    void add(const std::vector<QueueRecord>& records, std::chrono::milliseconds now = 1000ms) {
        const auto placed = store().append(records, now);
        QVERIFY2(placed, placed ? "" : placed.error().detail.c_str());
        QCOMPARE(*placed, std::vector<Placed>(records.size(), Placed::Queued));
    }
    /// The bytes of what next() gives, joined by blanks.
    [[nodiscard]] std::string pending(std::uint8_t target, Sequence after = 0, std::size_t limit = 1000) {
        std::string text;
        const auto entries = store().next(node(target), after, limit);
        if (!entries)
            return "error " + entries.error().message;
        for (const auto& entry : *entries)
            text += (text.empty() ? "" : " ") + entry.bytes;
        return text;
    }
    [[nodiscard]] TargetStats stats(std::uint8_t target) { return store().stats()->targets[node(target)]; }

    QueueOptions options;

private:
    QTemporaryDir m_directory;
    std::unique_ptr<QueueStore> m_store;
};

[[nodiscard]] inline QByteArray readFile(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
}

} // namespace fremis::coordinator::test
