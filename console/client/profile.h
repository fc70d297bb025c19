#pragma once

#include "console/client/known.h"
#include "shared/base/error.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <optional>

namespace fremis::console {

enum class Environment { Dev, Lab, Staging, Production };
enum class NodeSource { Coordinator, File, Manual };

[[nodiscard]] QString tokenOf(Environment environment); ///< "dev", "lab", "staging", "production"
[[nodiscard]] QString wordOf(Environment environment);  ///< translated, for badges

inline constexpr Milliseconds kLeastPollInterval{500};
inline constexpr Milliseconds kMostPollInterval{600'000};

/// The limits at which alerts begin; percent, counts, seconds.
struct AlertThresholds {
    double ramWarning = 85;
    double ramCritical = 95;
    double gpuMemory = 90;
    qint64 queueOps = 1000;
    int queueAgeSeconds = 600;
    double skewPercent = 25;
    double clockSkewSeconds = 2;
    int silentIntervals = 5;
    bool operator==(const AlertThresholds&) const = default;
};

/// How one cluster is reached and shown. Holds no secret: the key pair is in the SecretStore under `id`.
struct Profile {
    QString id; ///< made once, never shown
    QString name;
    QString folder; ///< group in the profile menu, may be empty
    int colour = 0; ///< 0..7, of the window's frame
    Environment environment = Environment::Dev;

    QList<QUrl> coordinators;  ///< http or https, without path
    QList<QUrl> orchestrators; ///< of the streaming tier
    QString caFile;            ///< PEM; empty: the system's authorities
    QByteArray fingerprint;    ///< SHA-256 of the one certificate that is accepted besides; empty: none

    NodeSource nodeSource = NodeSource::Coordinator;
    QString configPath;                ///< of config.yml on this computer, for NodeSource::File
    QStringList manualNodes;           ///< "host:port", for NodeSource::Manual
    QHash<QString, QString> rewrites;  ///< address in the config -> "host:port" that reaches it from here
    QHash<QString, QString> aliases;   ///< address in the config -> name shown
    QStringList maintenance;           ///< addresses whose notices are muted
    std::optional<int> replication;    ///< R, when the config sets none
    Milliseconds interval{2000};       ///< of polling, 500 ms .. 10 min
    std::optional<int> monitoringPort; ///< of workers, where /metrics is switched on
    AlertThresholds thresholds;

    /// Where a node of the config is reached from here: its rewritten address, with the scheme of the first
    /// coordinator.
    [[nodiscard]] QUrl urlOf(const QString& address) const;
    bool operator==(const Profile&) const = default;
};

/// JSON of profiles, `"format":"fremis-profiles/1"`. No secrets, whatever the profile was used with.
[[nodiscard]] QByteArray profilesToJson(const QList<Profile>& profiles);
/// Fails with Reason::InvalidJson; the message says which profile and member. Unknown members are ignored.
[[nodiscard]] base::Result<QList<Profile>> profilesFromJson(const QByteArray& json);

} // namespace fremis::console
