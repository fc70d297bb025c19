#include "shared/app/server_options.h"

#include "shared/base/log.h"

#include <QStandardPaths>

namespace fremis::app {

using base::fail;
using base::Reason;
using base::Status;

namespace {

std::filesystem::path defaultDataDir(const Environment& environment) {
    const auto home = environment.find("XDG_DATA_HOME");
    if (home != environment.end() && !home->second.empty())
        return std::filesystem::path(home->second) / "fremis-n";
    return std::filesystem::path(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString()) /
           "fremis-n";
}

Status takeListeners(const GivenFlags& given, ServerOptions& options) {
    if (given.has("listen-address"))
        options.listenAddress = given.text("listen-address");
    return takeNumber<std::uint16_t>(given, "listen-port", 0, 65535, options.listenPort).and_then([&] {
        return takeNumber<std::uint16_t>(given, "listen-port-monitoring", 0, 65535, options.monitoringPort);
    });
}

Status takeAccess(const GivenFlags& given, ServerOptions& options) {
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

Status takeKeyPair(const GivenFlags& given, const Environment& environment, ServerOptions& options) {
    const auto taken =
        takeSecret(given, environment, "access-key", "FREMISN_ACCESS_KEY", options.accessKey).and_then([&] {
            return takeSecret(given, environment, "secret-key", "FREMISN_SECRET_KEY", options.secretKey);
        });
    if (taken && options.accessKey.empty() != options.secretKey.empty())
        return fail(Reason::InvalidParams, "--access-key and --secret-key go together");
    return taken;
}

Status checkSecretFiles(const GivenFlags& given, const Environment& environment, ServerOptions& options) {
    for (const auto& file : {secretFileOf(given, environment, "access-key"),
                             secretFileOf(given, environment, "secret-key"), options.clientKeysFile, options.tlsKey})
        if (auto checked = checkSecretFile(given, file, options.openSecretFiles); !checked)
            return checked;
    return {};
}

} // namespace

Status takeServerOptions(const GivenFlags& given, const Environment& environment, ServerOptions& options) {
    options.verbose = given.has("verbose");
    options.printRoutes = given.has("print-routes");
    options.secretsInArguments = hasSecretFlags(given);
    options.dataDir =
        given.has("data-dir") ? std::filesystem::path(given.text("data-dir")) : defaultDataDir(environment);
    return takeListeners(given, options)
        .and_then([&] { return takeAccess(given, options); })
        .and_then([&] { return takeKeyPair(given, environment, options); })
        .and_then([&] { return checkSecretFiles(given, environment, options); });
}

void logSecretWarnings(const ServerOptions& options) {
    if (options.secretsInArguments)
        base::log(
            base::LogLevel::Warning, "secrets_in_arguments",
            {{"hint",
              "secrets given as flags were wiped from the argument list; prefer --*-file flags or the environment"}});
    for (const auto& warning : options.openSecretFiles)
        base::log(base::LogLevel::Warning, "secret_file_open", {{"hint", warning}});
}

} // namespace fremis::app
