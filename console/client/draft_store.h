#pragma once

#include "console/client/known.h"
#include "shared/base/error.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace fremis::console {

/// An edited config.yml as it is kept on disk.
struct SavedDraft {
    QByteArray base; ///< the text it was made of
    QByteArray text;
    QByteArray etag; ///< of `base`
    QString path;    ///< of the file that is edited; empty: the coordinator's
    Instant savedAt{0};
    bool operator==(const SavedDraft&) const = default;
};

/// Drafts in a folder of this user, one for each cluster. A config holds no secret. Thread: GUI; files are small.
class DraftStore {
public:
    explicit DraftStore(QString folder) : m_folder(std::move(folder)) {}

    /// `cluster`: any text that names it. Fails with Reason::Internal.
    [[nodiscard]] base::Status save(const QString& cluster, const SavedDraft& draft) const;
    /// Nothing when there is none that can be read.
    [[nodiscard]] std::optional<SavedDraft> load(const QString& cluster) const;
    void remove(const QString& cluster) const;

private:
    [[nodiscard]] QString fileOf(const QString& cluster) const;
    QString m_folder;
};

} // namespace fremis::console
