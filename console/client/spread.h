#pragma once

#include "console/client/face_calls.h"

#include <QObject>

#include <array>

namespace fremis::console {

/// How many of something lie in each partition.
struct Spread {
    std::array<quint64, base::kPartitionCount> counts{};
    quint64 total = 0;
    /// Pearson's statistic against an even spread; 255 degrees of freedom. Nothing for an empty spread.
    [[nodiscard]] std::optional<double> chiSquare() const;
    /// Less than three standard deviations above what chance gives. Only with five or more in a partition on average:
    /// below that the statistic says nothing.
    [[nodiscard]] std::optional<bool> isEven() const;
};

/// Vectors of all keyspaces, each partition once; nothing while a partition is unknown.
[[nodiscard]] std::optional<Spread> spreadOf(const Snapshot& snapshot);

/// Counts the faces of a keyspace by walking through its list, 1000 at a time and one page after the other. Thread:
/// GUI.
class SpreadWalk : public QObject {
    Q_OBJECT
public:
    static constexpr int kPage = 1000;
    static constexpr quint64 kMost = 200'000; ///< larger keyspaces are not walked: it would take hundreds of calls

    /// `calls` outlives it.
    explicit SpreadWalk(FaceCalls& calls, QObject* parent = nullptr) : QObject(parent), m_calls(calls) {}
    /// What runs so far is forgotten.
    void start(const QUrl& base, const QString& keyspace);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }
    [[nodiscard]] const QString& keyspace() const { return m_keyspace; }
    [[nodiscard]] const Spread& spread() const { return m_spread; }

Q_SIGNALS:
    void progressed();
    /// `problem` is empty when all faces were counted.
    void finished(const QString& problem);

private:
    void ask(const QString& cursor);
    void end(const QString& problem);

    FaceCalls& m_calls;
    QUrl m_base;
    QString m_keyspace;
    Spread m_spread;
    int m_walk = 0; ///< answers of an earlier one are dropped
    bool m_running = false;
};

} // namespace fremis::console
