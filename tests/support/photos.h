#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Fetched model packs and photos for tests. They lie under $FREMIS_TEST_DATA or, without it, in .cache of the source
/// tree: model-packs/<id>/ (packaging/linux/fetch-model-pack) and test-photos/<name>.jpg
/// (packaging/linux/fetch-test-photos).
namespace fremis::test {

/// The folder of a fetched pack, "fp-mfn512" or "dlib128".
[[nodiscard]] std::optional<std::filesystem::path> modelPack(std::string_view id);
/// The file of a fetched photo, for example "jesper.jpg".
[[nodiscard]] std::optional<std::filesystem::path> photo(std::string_view name);
/// All bytes of a file; empty when it cannot be read.
[[nodiscard]] std::vector<std::uint8_t> readBytes(const std::filesystem::path& file);

/// True in CI: fetched data that is missing is a failure there and a reason to skip elsewhere.
[[nodiscard]] bool fetchedDataIsRequired();
/// One sentence for people: what is missing and which script fetches it.
[[nodiscard]] std::string howToFetch();

} // namespace fremis::test

/// In a QtTest function or initTestCase(): goes on only when `condition` (the fetched files it uses are there).
#define FREMIS_NEEDS_FETCHED_DATA(condition)                                                                           \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            if (::fremis::test::fetchedDataIsRequired())                                                               \
                QFAIL(::fremis::test::howToFetch().c_str());                                                           \
            QSKIP(::fremis::test::howToFetch().c_str());                                                               \
        }                                                                                                              \
    } while (false)
