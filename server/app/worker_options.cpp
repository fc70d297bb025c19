#include "server/app/worker_options.h"

#include <QCommandLineParser>
#include <QStandardPaths>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

extern char** environ;

namespace fremis::app {

namespace {

using base::fail;
using base::Reason;
using base::Result;
using base::Status;

constexpr std::array kSecretFlags{std::string_view("--access-key"), std::string_view("--secret-key"),
                                  std::string_view("--db-password"), std::string_view("--dk")};

struct Flag {
    const char* name;
    const char* value; ///< nullptr: a switch
    const char* help;
};

constexpr std::array kFlags{
    Flag{"listen-port", "PORT", "client plane (default 4005; 0 takes a free port)"},
    Flag{"listen-address", "ADDRESS", "client plane (default 0.0.0.0, all interfaces)"},
    Flag{"listen-port-monitoring", "PORT", "metrics and health (default off; 4006 at sites)"},
    Flag{"listen-port-internal", "PORT", "internal plane of a cluster; accepted, used by cluster operation only"},
    Flag{"access-key", "KEY", "internal plane pair; better: --access-key-file or FREMISN_ACCESS_KEY"},
    Flag{"access-key-file", "FILE", "the access key in a file"},
    Flag{"secret-key", "KEY", "internal plane pair; better: --secret-key-file or FREMISN_SECRET_KEY"},
    Flag{"secret-key-file", "FILE", "the secret key in a file"},
    Flag{"dk", "KEY", "deployment key of older installations: accepted and ignored"},
    Flag{"storage", "KIND", "sqlite (default) or postgres"},
    Flag{"data-dir", "DIR", "database file, snapshots (default: the user's data folder)"},
    Flag{"db-address", "HOST", "PostgreSQL host (default localhost)"},
    Flag{"db-port", "PORT", "PostgreSQL port (default 5432)"},
    Flag{"db-name", "NAME", "PostgreSQL database (default fremisn)"},
    Flag{"db-username", "NAME", "PostgreSQL user (default postgres)"},
    Flag{"db-password", "PASSWORD", "better: --db-password-file, FREMISN_DB_PASSWORD or PGPASSFILE"},
    Flag{"db-password-file", "FILE", "the PostgreSQL password in a file"},
    Flag{"partition-start", "N", "first partition of a range, 0..255 (default 0); the pair may be repeated"},
    Flag{"partition-end", "N", "last partition of a range, inclusive (default 255)"},
    Flag{"model-pack", "DIR", "folder or name of the model pack (default fp-mfn512)"},
    Flag{"max-workers", "N", "threads that run models (default: number of cores)"},
    Flag{"multi-face", "RULE", "largest (default): use the largest face; reject: refuse photos with several"},
    Flag{"quality-gate", "RULE", "enforce (default) or report: gates warn but never refuse"},
    Flag{"index", "KIND", "flat (default, exact), sq8 (exact, int8 scan) or hnsw (approximate)"},
    Flag{"float-rows", "PLACE", "with --index sq8: memory (default) or file, a nameless file in the data folder"},
    Flag{"client-auth", "RULE", "off (default): the client plane is OPEN; required: keys of --client-keys-file"},
    Flag{"client-keys-file", "FILE", "client keys with their rights and keyspaces"},
    Flag{"tls-cert", "FILE", "certificate chain (PEM) of the client plane"},
    Flag{"tls-key", "FILE", "private key (PEM) of the client plane"},
    Flag{"metrics-auth", "RULE", "required: /metrics needs a key; off: it is open (default: as --client-auth)"},
    Flag{"monitoring-tls", nullptr, "the monitoring port speaks HTTPS too, with --tls-cert"},
    Flag{"max-enrollments", "N", "most faces; beyond it enrolment is 429"},
    Flag{"max-keyspaces", "N", "most keyspaces; beyond it creation is 429"},
    Flag{"verbose", nullptr, "debug log"},
    Flag{"print-routes", nullptr, "print method and path of each route and leave"},
    Flag{"help", nullptr, "this text"},
    Flag{"version", nullptr, "version"},
};

std::string helpText() {
    std::string text =
        "usage: fremis_n_app httpserver [FLAG VALUE | FLAG=VALUE]...\n\n"
        "A worker: enrols, finds and deletes faces over REST. With no flag it keeps everything in the user's\n"
        "data folder (SQLite) and listens on port 4005.\n\n";
    for (const auto& flag : kFlags) {
        std::string left =
            std::string("  --") + flag.name + (flag.value ? std::string(" ") + flag.value : std::string());
        left.resize(std::max<std::size_t>(left.size() + 1, 32), ' ');
        text += left + flag.help + "\n";
    }
    return text +
           "\nSecrets given as flags are wiped from the argument list at start. Environment: FREMISN_ACCESS_KEY,\n"
           "FREMISN_SECRET_KEY, FREMISN_DB_PASSWORD, FREMISN_BATCH_SEARCH_MAX_SIZE (most searches joined into one "
           "pass;\n"
           "default 16), FREMISN_MODEL_PACKS (folder that holds packs by name).\n";
}

/// The flags as given, each at most once but the partition pair.
class Given {
public:
    static Result<Given> parse(const std::vector<std::string>& arguments);

    [[nodiscard]] bool has(const char* name) const { return m_parser->isSet(QString::fromLatin1(name)); }
    [[nodiscard]] std::string text(const char* name) const {
        return m_parser->value(QString::fromLatin1(name)).toStdString();
    }
    [[nodiscard]] std::vector<std::string> texts(const char* name) const {
        std::vector<std::string> values;
        for (const auto& value : m_parser->values(QString::fromLatin1(name)))
            values.push_back(value.toStdString());
        return values;
    }

private:
    std::shared_ptr<QCommandLineParser> m_parser = std::make_shared<QCommandLineParser>();
};

Status checkForm(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        if (!argument.starts_with("--") || argument == "--")
            return fail(Reason::InvalidParams, "unexpected argument '" + argument.substr(0, 60) + "'");
        const auto name = argument.substr(2, argument.find('=') - 2);
        const auto flag = std::find_if(kFlags.begin(), kFlags.end(), [&](const Flag& f) { return name == f.name; });
        if (flag == kFlags.end())
            return fail(Reason::InvalidParams, "unknown flag --" + name.substr(0, 60));
        if (flag->value && argument.find('=') == std::string::npos) {
            // A value never looks like a flag; what follows a flag that lacks its value is the next flag.
            if (++i == arguments.size() || arguments[i].starts_with("--"))
                return fail(Reason::InvalidParams, "missing value of --" + name);
        }
    }
    return {};
}

Result<Given> Given::parse(const std::vector<std::string>& arguments) {
    if (auto formed = checkForm(arguments); !formed)
        return tl::unexpected(formed.error());
    Given given;
    for (const auto& flag : kFlags)
        given.m_parser->addOption(QCommandLineOption(QString::fromLatin1(flag.name), QString(),
                                                     flag.value ? QString::fromLatin1(flag.value) : QString()));
    QStringList list{QStringLiteral("fremis_n_app")};
    for (const auto& argument : arguments)
        list << QString::fromStdString(argument);
    if (!given.m_parser->parse(list))
        return fail(Reason::InvalidParams, given.m_parser->errorText().toStdString());
    for (const auto& flag : kFlags) {
        const auto times = given.m_parser->optionNames().count(QString::fromLatin1(flag.name));
        if (times > 1 && std::strncmp(flag.name, "partition-", 10) != 0)
            return fail(Reason::InvalidParams, std::string("--") + flag.name + " is given twice");
    }
    return given;
}

template<class Number> Result<Number> numberOf(const char* flag, const std::string& text, Number least, Number most) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return fail(Reason::InvalidParams, std::string("--") + flag + " takes a whole number from " +
                                               std::to_string(least) + " to " + std::to_string(most));
    return number;
}

/// Takes a number when the flag is given.
template<class Number, class Target>
Status takeNumber(const Given& given, const char* flag, Number least, Number most, Target& target) {
    if (!given.has(flag))
        return {};
    auto number = numberOf<Number>(flag, given.text(flag), least, most);
    if (!number)
        return tl::unexpected(number.error());
    target = static_cast<Number>(*number);
    return {};
}

/// Takes one of the words when the flag is given.
template<class Enum>
Status takeWord(const Given& given, const char* flag, std::initializer_list<std::pair<const char*, Enum>> words,
                Enum& target) {
    if (!given.has(flag))
        return {};
    const auto word = given.text(flag);
    std::string known;
    for (const auto& [name, value] : words) {
        if (word == name) {
            target = value;
            return {};
        }
        known += (known.empty() ? "" : " or ") + std::string(name);
    }
    return fail(Reason::InvalidParams, std::string("--") + flag + " takes " + known);
}

Result<std::string> readSecretFile(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    if (!in || !std::getline(in, line))
        return fail(Reason::InvalidParams, "cannot read a secret from " + file);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
        line.pop_back();
    return line;
}

/// A secret by flag, file or environment variable; systemd's credentials folder last. Two forms at once are an error.
Status takeSecret(const Given& given, const Environment& environment, const std::string& name, const char* variable,
                  std::string& target) {
    const bool byFlag = given.has(name.c_str());
    const bool byFile = given.has((name + "-file").c_str());
    const auto found = environment.find(variable);
    const bool byVariable = found != environment.end();
    if (byFlag + byFile + byVariable > 1)
        return fail(Reason::InvalidParams, "--" + name + " is given in two forms (flag, file, environment)");
    if (byFlag) {
        target = given.text(name.c_str());
    } else if (byVariable) {
        target = found->second;
    } else {
        const auto folder = environment.find("CREDENTIALS_DIRECTORY");
        std::string file = byFile ? given.text((name + "-file").c_str()) : std::string();
        if (!byFile && folder != environment.end() && std::filesystem::exists(folder->second + "/" + name))
            file = folder->second + "/" + name;
        if (file.empty())
            return {};
        auto secret = readSecretFile(file);
        if (!secret)
            return tl::unexpected(secret.error());
        target = std::move(*secret);
    }
    return {};
}

Status takePartitions(const Given& given, std::vector<PartitionRange>& target) {
    const auto starts = given.texts("partition-start");
    const auto ends = given.texts("partition-end");
    if (starts.empty() && ends.empty())
        return {};
    if (starts.size() != ends.size())
        return fail(Reason::InvalidParams, "--partition-start and --partition-end come in pairs");
    target.clear();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto start = numberOf<int>("partition-start", starts[i], 0, 255);
        const auto end = numberOf<int>("partition-end", ends[i], 0, 255);
        if (!start || !end)
            return tl::unexpected(start ? end.error() : start.error());
        if (*start > *end)
            return fail(Reason::InvalidParams, "the partition range " + starts[i] + "-" + ends[i] + " is reversed");
        for (const auto& range : target)
            if (*start <= range.end && range.start <= *end)
                return fail(Reason::InvalidParams,
                            "the partition range " + starts[i] + "-" + ends[i] + " overlaps another");
        target.push_back({*start, *end});
    }
    std::sort(target.begin(), target.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    return {};
}

Status takeNetwork(const Given& given, WorkerOptions& options) {
    if (given.has("listen-address"))
        options.listenAddress = given.text("listen-address");
    if (auto taken = takeNumber<std::uint16_t>(given, "listen-port", 0, 65535, options.listenPort); !taken)
        return taken;
    if (auto taken = takeNumber<std::uint16_t>(given, "listen-port-monitoring", 0, 65535, options.monitoringPort);
        !taken)
        return taken;
    std::optional<std::uint16_t> internalPort;
    if (auto taken = takeNumber<std::uint16_t>(given, "listen-port-internal", 0, 65535, internalPort); !taken)
        return taken;
    if (auto taken = takeWord(given, "client-auth", {{"off", ClientAuth::Off}, {"required", ClientAuth::Required}},
                              options.clientAuth);
        !taken)
        return taken;
    options.clientKeysFile = given.text("client-keys-file");
    if ((options.clientAuth == ClientAuth::Required) != given.has("client-keys-file"))
        return fail(Reason::InvalidParams, "--client-auth required and --client-keys-file go together");
    options.metricsNeedKey = options.clientAuth == ClientAuth::Required;
    if (auto taken = takeWord(given, "metrics-auth", {{"off", false}, {"required", true}}, options.metricsNeedKey);
        !taken)
        return taken;
    if (options.metricsNeedKey && options.clientAuth == ClientAuth::Off)
        return fail(Reason::InvalidParams, "--metrics-auth required needs --client-auth required");
    options.tlsCertificate = given.text("tls-cert");
    options.tlsKey = given.text("tls-key");
    if (given.has("tls-cert") != given.has("tls-key"))
        return fail(Reason::InvalidParams, "--tls-cert and --tls-key go together");
    options.monitoringTls = given.has("monitoring-tls");
    if (options.monitoringTls && !(given.has("tls-cert") && options.monitoringPort))
        return fail(Reason::InvalidParams, "--monitoring-tls needs --tls-cert and --listen-port-monitoring");
    return {};
}

std::filesystem::path defaultDataDir(const Environment& environment) {
    const auto home = environment.find("XDG_DATA_HOME");
    if (home != environment.end() && !home->second.empty())
        return std::filesystem::path(home->second) / "fremis-n";
    return std::filesystem::path(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString()) /
           "fremis-n";
}

Status takeStorage(const Given& given, const Environment& environment, WorkerOptions& options) {
    if (auto taken = takeWord(given, "storage", {{"sqlite", StorageKind::Sqlite}, {"postgres", StorageKind::Postgres}},
                              options.storage);
        !taken)
        return taken;
    options.dataDir =
        given.has("data-dir") ? std::filesystem::path(given.text("data-dir")) : defaultDataDir(environment);
    auto& database = options.database;
    if (given.has("db-address"))
        database.address = given.text("db-address");
    if (given.has("db-name"))
        database.name = given.text("db-name");
    if (given.has("db-username"))
        database.username = given.text("db-username");
    return takeNumber<std::uint16_t>(given, "db-port", 1, 65535, database.port);
}

Status takeWork(const Given& given, const Environment& environment, WorkerOptions& options) {
    options.maxWorkers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (auto taken = takeNumber<int>(given, "max-workers", 1, 256, options.maxWorkers); !taken)
        return taken;
    if (auto taken = takeNumber<std::uint64_t>(given, "max-enrollments", 0, 1ULL << 53, options.maxEnrollments); !taken)
        return taken;
    if (auto taken = takeNumber<std::uint64_t>(given, "max-keyspaces", 0, 1ULL << 53, options.maxKeyspaces); !taken)
        return taken;
    if (auto taken = takeWord(given, "multi-face", {{"largest", false}, {"reject", true}}, options.rejectMultipleFaces);
        !taken)
        return taken;
    if (auto taken = takeWord(given, "quality-gate", {{"enforce", true}, {"report", false}}, options.enforceQuality);
        !taken)
        return taken;
    if (auto taken =
            takeWord(given, "index", {{"flat", IndexKind::Flat}, {"sq8", IndexKind::Sq8}, {"hnsw", IndexKind::Hnsw}},
                     options.index);
        !taken)
        return taken;
    if (auto taken = takeWord(given, "float-rows", {{"memory", false}, {"file", true}}, options.floatRowsInFile);
        !taken)
        return taken;
    if (options.floatRowsInFile && options.index != IndexKind::Sq8)
        return fail(Reason::InvalidParams, "--float-rows file needs --index sq8");
    if (given.has("model-pack"))
        options.modelPack = given.text("model-pack");
    if (const auto found = environment.find("FREMISN_BATCH_SEARCH_MAX_SIZE"); found != environment.end()) {
        const auto number = numberOf<int>("FREMISN_BATCH_SEARCH_MAX_SIZE", found->second, 1, 1024);
        if (!number)
            return fail(Reason::InvalidParams, "FREMISN_BATCH_SEARCH_MAX_SIZE takes a whole number from 1 to 1024");
        options.batchSearchMax = *number;
    }
    return {};
}

} // namespace

Result<ParsedWorkerOptions> parseWorkerOptions(const std::vector<std::string>& arguments,
                                               const Environment& environment) {
    auto given = Given::parse(arguments);
    if (!given)
        return tl::unexpected(given.error());
    if (given->has("help"))
        return ParsedWorkerOptions{std::nullopt, helpText()};
    if (given->has("version"))
        return ParsedWorkerOptions{std::nullopt, "fremis_n_app " FREMIS_VERSION "\n"};
    WorkerOptions options;
    options.verbose = given->has("verbose");
    options.printRoutes = given->has("print-routes");
    options.secretsInArguments = std::any_of(kSecretFlags.begin(), kSecretFlags.end(),
                                             [&](std::string_view flag) { return given->has(flag.data() + 2); });
    const auto taken =
        takeNetwork(*given, options)
            .and_then([&] { return takeStorage(*given, environment, options); })
            .and_then([&] { return takeWork(*given, environment, options); })
            .and_then([&] { return takePartitions(*given, options.partitions); })
            .and_then(
                [&] { return takeSecret(*given, environment, "access-key", "FREMISN_ACCESS_KEY", options.accessKey); })
            .and_then(
                [&] { return takeSecret(*given, environment, "secret-key", "FREMISN_SECRET_KEY", options.secretKey); })
            .and_then([&] {
                return takeSecret(*given, environment, "db-password", "FREMISN_DB_PASSWORD", options.database.password);
            });
    if (!taken)
        return tl::unexpected(taken.error());
    if (options.accessKey.empty() != options.secretKey.empty())
        return fail(Reason::InvalidParams, "--access-key and --secret-key go together");
    return ParsedWorkerOptions{std::move(options), {}};
}

bool wipeSecretArguments(int argc, char** argv) {
    bool wiped = false;
    const auto wipe = [&](char* value) {
        std::memset(value, 'x', std::strlen(value));
        wiped = true;
    };
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        for (const auto flag : kSecretFlags) {
            if (argument == flag && i + 1 < argc)
                wipe(argv[i + 1]);
            else if (argument.starts_with(flag) && argument.size() > flag.size() && argument[flag.size()] == '=')
                wipe(argv[i] + flag.size() + 1);
        }
    }
    return wiped;
}

Environment currentEnvironment() {
    Environment environment;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos)
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

} // namespace fremis::app
