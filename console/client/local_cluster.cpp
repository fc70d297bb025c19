#include "console/client/local_cluster.h"

#include "shared/base/ids.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

#ifdef Q_OS_LINUX
#include <sys/prctl.h>

#include <csignal>
#endif

#include <algorithm>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kServerName = "fremis_n_app"_L1;
constexpr int kEndMs = 4000;
constexpr qsizetype kLongestReason = 300;

struct Block {
    int first;
    int last;
};

/// Worker w owns the blocks w and w + 1 of three.
Block block(int number) {
    const int wrapped = number % LocalCluster::kWorkers;
    return {base::kPartitionCount * wrapped / LocalCluster::kWorkers,
            base::kPartitionCount * (wrapped + 1) / LocalCluster::kWorkers - 1};
}

QString nameOf(int worker) {
    return u"worker-%1"_s.arg(worker + 1);
}

} // namespace

QString LocalCluster::findServer() {
    const QString beside = QCoreApplication::applicationDirPath() + u'/' + kServerName;
    if (QFileInfo(beside).isExecutable())
        return beside;
    return QStandardPaths::findExecutable(kServerName);
}

LocalCluster::LocalCluster(QString server, QObject* parent) : QObject(parent), m_server(std::move(server)) {}

LocalCluster::~LocalCluster() {
    for (auto& program : m_programs) {
        program->process->disconnect(this);
        program->process->terminate();
    }
    for (auto& program : m_programs)
        if (!program->process->waitForFinished(kEndMs))
            program->process->kill();
    for (auto& program : m_programs)
        program->process->waitForFinished(kEndMs);
}

void LocalCluster::start() {
    if (!m_folder.isValid())
        return fail(m_folder.errorString());
    for (int worker = 0; worker < kWorkers; ++worker) {
        QStringList arguments{u"httpserver"_s, u"--max-workers"_s, u"1"_s};
        for (const int owned : {worker, worker + 1}) {
            const auto [first, last] = block(owned);
            arguments << u"--partition-start"_s << QString::number(first) << u"--partition-end"_s
                      << QString::number(last);
        }
        launch(nameOf(worker), arguments);
    }
}

void LocalCluster::launch(const QString& name, const QStringList& arguments) {
    auto& program = *m_programs.emplace_back(std::make_unique<Program>());
    program.name = name;
    program.process = std::make_unique<QProcess>();
    auto* process = program.process.get();
    process->setStandardOutputFile(QProcess::nullDevice());
#ifdef Q_OS_LINUX
    process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
#endif
    connect(process, &QProcess::readyReadStandardError, this, [this, &program] { read(program); });
    connect(process, &QProcess::errorOccurred, this, [this, &program](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            fail(u"%1: %2"_s.arg(m_server, program.process->errorString()));
    });
    connect(process, &QProcess::finished, this, [this, &program] {
        read(program);
        fail(u"%1: %2"_s.arg(program.name, QString::fromUtf8(program.lastLine.left(kLongestReason))));
    });
    process->start(m_server, arguments + QStringList{u"--listen-address"_s, u"127.0.0.1"_s, u"--listen-port"_s, u"0"_s,
                                                     u"--data-dir"_s, m_folder.filePath(name)});
}

void LocalCluster::read(Program& program) {
    program.line += program.process->readAllStandardError();
    for (auto end = program.line.indexOf('\n'); end >= 0; end = program.line.indexOf('\n')) {
        const auto line = program.line.left(end).trimmed();
        program.line.remove(0, end + 1);
        if (line.isEmpty())
            continue;
        program.lastLine = line;
        const auto event = QJsonDocument::fromJson(line).object();
        if (event["event"_L1] == "listening"_L1 && program.port == 0)
            takePort(program, event["port"_L1].toInt());
    }
}

void LocalCluster::takePort(Program& program, int port) {
    program.port = port;
    const auto listening =
        std::count_if(m_programs.begin(), m_programs.end(), [](const auto& p) { return p->port > 0; });
    if (listening == kWorkers)
        startCoordinator();
    else if (listening > kWorkers)
        Q_EMIT ready(profile());
}

QByteArray LocalCluster::configText() const {
    QByteArray text = "version: \"v1\"\nreplication: 2\nnodes:\n";
    for (int worker = 0; worker < kWorkers; ++worker)
        for (const int owned : {worker, worker + 1}) {
            const auto [first, last] = block(owned);
            text += u"  - {address: \"127.0.0.1:%1\", partition_start: %2, partition_end: %3, name: \"%4\"}\n"_s
                        .arg(m_programs[static_cast<std::size_t>(worker)]->port)
                        .arg(first)
                        .arg(last)
                        .arg(nameOf(worker))
                        .toUtf8();
        }
    return text;
}

void LocalCluster::startCoordinator() {
    const QString path = m_folder.filePath(u"config.yml"_s);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(configText()) < 0)
        return fail(file.errorString());
    file.close();
    launch(u"coordinator"_s, {u"coordinator"_s, u"--config-path"_s, path});
}

Profile LocalCluster::profile() const {
    Profile profile;
    profile.id = u"demo-on-this-computer"_s;
    profile.name = tr("Demo on this computer");
    profile.environment = Environment::Lab;
    profile.coordinators = {QUrl(u"http://127.0.0.1:%1"_s.arg(m_programs.back()->port))};
    return profile;
}

std::vector<qint64> LocalCluster::processIds() const {
    std::vector<qint64> ids;
    for (const auto& program : m_programs)
        ids.push_back(program->process->processId());
    return ids;
}

void LocalCluster::fail(const QString& why) {
    if (!std::exchange(m_hasFailed, true))
        Q_EMIT failed(why);
}

} // namespace fremis::console
