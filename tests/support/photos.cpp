#include "tests/support/photos.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fremis::test {

namespace {

std::filesystem::path dataFolder() {
    const char* folder = std::getenv("FREMIS_TEST_DATA");
    return folder != nullptr && *folder != '\0' ? std::filesystem::path(folder)
                                                : std::filesystem::path(FREMIS_DEFAULT_TEST_DATA);
}

std::optional<std::filesystem::path> existing(std::filesystem::path path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? std::optional(std::move(path)) : std::nullopt;
}

} // namespace

std::optional<std::filesystem::path> modelPack(std::string_view id) {
    std::filesystem::path folder = dataFolder() / "model-packs" / id;
    return existing(folder / "pack.yaml") ? std::optional(std::move(folder)) : std::nullopt;
}

std::optional<std::filesystem::path> photo(std::string_view name) {
    return existing(dataFolder() / "test-photos" / name);
}

std::vector<std::uint8_t> readBytes(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool fetchedDataIsRequired() {
    const char* ci = std::getenv("CI");
    return ci != nullptr && std::string_view(ci) == "true";
}

std::string howToFetch() {
    return "needs fetched files in " + dataFolder().string() +
           ": run packaging/linux/fetch-model-pack and packaging/linux/fetch-test-photos, or set FREMIS_TEST_DATA";
}

} // namespace fremis::test
