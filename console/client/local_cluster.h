#pragma once

#include "console/client/profile.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <vector>

class QProcess;

namespace fremis::console {

/// A coordinator over three workers of the real server, on loopback and on free ports, each partition with two owners.
/// Data lie in a folder that goes with the object, and so do the programs; they end even when this one is killed
/// (Linux). Thread: GUI.
class LocalCluster : public QObject {
    Q_OBJECT
public:
    static constexpr int kWorkers = 3;
    /// The server beside this program, else in PATH; empty when it is nowhere.
    [[nodiscard]] static QString findServer();

    explicit LocalCluster(QString server, QObject* parent = nullptr);
    ~LocalCluster() override; ///< waits for the ends of the programs, a few seconds at most
    void start();             ///< once
    /// Leads to the coordinator; only after ready().
    [[nodiscard]] Profile profile() const;
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] std::vector<qint64> processIds() const;

Q_SIGNALS:
    void ready(const fremis::console::Profile& profile); ///< the coordinator listens
    /// A program could not be started or ended by itself; `why` is one line. Said once.
    void failed(const QString& why);

private:
    struct Program {
        QString name;
        std::unique_ptr<QProcess> process;
        QByteArray line;     ///< of its log, not yet whole
        QByteArray lastLine; ///< for people, when it ends
        int port = 0;
    };
    void launch(const QString& name, const QStringList& arguments);
    void read(Program& program);
    void takePort(Program& program, int port);
    void startCoordinator();
    void fail(const QString& why);
    [[nodiscard]] QByteArray configText() const;

    const QString m_server;
    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<Program>> m_programs; ///< the workers, then the coordinator
    bool m_hasFailed = false;
};

} // namespace fremis::console
