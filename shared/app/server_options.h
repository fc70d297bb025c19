#pragma once

#include "shared/app/flags.h"

#include <array>
#include <cstdint>

namespace fremis::app {

enum class ClientAuth { Off, Required };

/// What every server of the product is told the same way: where to listen, whom to let in, where to keep data.
struct ServerOptions {
    std::string listenAddress = "0.0.0.0";
    std::uint16_t listenPort = 4005;
    std::optional<std::uint16_t> monitoringPort;
    ClientAuth clientAuth = ClientAuth::Off;
    std::filesystem::path clientKeysFile;
    bool metricsNeedKey = false; ///< by default as the client plane
    std::filesystem::path tlsCertificate;
    std::filesystem::path tlsKey;
    bool monitoringTls = false;
    std::string accessKey; ///< with `secretKey` the pair of the internal plane; both or none
    std::string secretKey;
    std::filesystem::path dataDir;
    bool verbose = false;
    bool printRoutes = false;
    bool secretsInArguments = false;          ///< a warning is due
    std::vector<std::string> openSecretFiles; ///< warnings about files with secrets that others can read
};

inline constexpr std::array kServerFlags{
    Flag{"listen-port", "PORT", "client plane (default 4005; 0 takes a free port)"},
    Flag{"listen-address", "ADDRESS", "client plane (default 0.0.0.0, all interfaces)"},
    Flag{"listen-port-monitoring", "PORT", "metrics and health (default off; 4006 at sites)"},
    Flag{"access-key", "KEY", "internal plane pair; better: --access-key-file or FREMISN_ACCESS_KEY"},
    Flag{"access-key-file", "FILE", "the access key in a file"},
    Flag{"secret-key", "KEY", "internal plane pair; better: --secret-key-file or FREMISN_SECRET_KEY"},
    Flag{"secret-key-file", "FILE", "the secret key in a file"},
    Flag{"dk", "KEY", "deployment key of older installations: accepted and ignored"},
    Flag{"client-auth", "RULE", "off (default): the client plane is OPEN; required: keys of --client-keys-file"},
    Flag{"client-keys-file", "FILE", "client keys with their rights and keyspaces"},
    Flag{"tls-cert", "FILE", "certificate chain (PEM) of the client plane"},
    Flag{"tls-key", "FILE", "private key (PEM) of the client plane"},
    Flag{"metrics-auth", "RULE", "required: /metrics needs a key; off: it is open (default: as --client-auth)"},
    Flag{"monitoring-tls", nullptr, "the monitoring port speaks HTTPS too, with --tls-cert"},
    Flag{"strict-perms", nullptr, "refuse files with secrets that others can read; without it they are a warning"},
    Flag{"verbose", nullptr, "debug log"},
    Flag{"print-routes", nullptr, "print method and path of each route and leave"},
    Flag{"help", nullptr, "this text"},
    Flag{"version", nullptr, "version"},
};

/// Takes what kServerFlags name, and --data-dir. Usage errors.
[[nodiscard]] base::Status takeServerOptions(const GivenFlags& given, const Environment& environment,
                                             ServerOptions& options);

/// Tells the log what is not well with the secrets that the server was given.
void logSecretWarnings(const ServerOptions& options);

/// What a command line asks for: a run with options, or a text to print and leave.
template<class Options> struct ParsedOptions {
    std::optional<Options> options;
    std::string textToPrint; ///< of --help and --version
};

} // namespace fremis::app
