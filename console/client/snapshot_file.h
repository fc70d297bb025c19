#pragma once

#include "console/client/cluster_client.h"
#include "console/client/profile.h"
#include "console/client/snapshot.h"

#include <QHash>
#include <QJsonObject>
#include <QObject>

namespace fremis::console {

/// Keeps the last answers of a cluster as they came, so that what was seen can be saved. Only what polls read: no
/// picture, no id, no secret is in there. Thread: GUI.
class AnswerKeeper : public QObject {
    Q_OBJECT
public:
    /// `client` outlives it.
    explicit AnswerKeeper(ClusterClient& client, QObject* parent = nullptr);
    void clear() { m_answers.clear(); }

    /// `"format":"fremis-snapshot/1"`: the answers behind a snapshot.
    [[nodiscard]] QByteArray save(const Snapshot& snapshot, const Profile& profile) const;

private:
    struct Answer {
        Instant at{0};
        int status = 0;
        QByteArray body;
        QByteArray etag;
    };
    void keep(const QUrl& url, const HttpReply& reply, Instant at);
    [[nodiscard]] QJsonObject answersOf(const QUrl& base) const;

    QHash<QString, QHash<QString, Answer>> m_answers; ///< by authority, then path
};

inline constexpr qsizetype kMostSnapshotBytes = 64 * 1024 * 1024;

struct RecordedSnapshot {
    SnapshotPtr snapshot; ///< isRecorded
    QString profileName;
};
/// Fails with Reason::InvalidJson when it is not a snapshot file, is damaged or too large.
[[nodiscard]] base::Result<RecordedSnapshot> readSnapshotFile(const QByteArray& file);

} // namespace fremis::console
