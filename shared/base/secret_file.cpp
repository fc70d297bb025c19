#include "shared/base/secret_file.h"

#include <cstdio>
#include <fstream>
#include <system_error>

namespace fremis::base {

namespace fs = std::filesystem;

Result<std::string> readSecretFile(const fs::path& file) {
    constexpr std::size_t kMostBytes = 4096;
    std::ifstream in(file, std::ios::binary);
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    const std::string secret = text.substr(0, text.find('\n'));
    if (in.bad() || text.empty())
        return fail(Reason::InvalidParams, "cannot read a secret from " + file.string());
    if (secret.size() > kMostBytes)
        return fail(Reason::InvalidParams, file.string() + " is no secret: its first line is longer than 4096 bytes");
    return secret.substr(0, secret.find_last_not_of(" \r") + 1);
}

std::optional<std::string> secretFileWarning(const fs::path& file) {
#ifdef _WIN32
    (void)file;
    return std::nullopt;
#else
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    const fs::perms mode = status.permissions();
    if (!fs::exists(status) || (mode & (fs::perms::others_all | fs::perms::group_write)) == fs::perms::none)
        return std::nullopt;
    char octal[8] = {};
    std::snprintf(octal, sizeof octal, "%04o", static_cast<unsigned>(mode & fs::perms::mask));
    return file.string() + " holds secrets and is open to others (mode " + octal + "): chmod 600 it";
#endif
}

} // namespace fremis::base
