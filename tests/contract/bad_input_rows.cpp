#include "tests/contract/bad_input_rows.h"

#include "shared/wire/base64.h"
#include "tests/contract/image_makers.h"
#include "tests/support/photos.h"

#include <algorithm>

namespace fremis::test {

namespace {

constexpr const char* kEnrol = "/v1/face/enrollment";
constexpr const char* kRecognise = "/v1/face/recognition";
constexpr const char* kMatch2 = "/v2/face/match";
constexpr const char* kDelete = "/v1/face/delete-enrollment";
constexpr const char* kDeleteVariation = "/v1/face/delete-enrollment-variation";
constexpr const char* kKeyspace = "/v1/face/keyspace";
constexpr const char* kDeleteKeyspace = "/v1/face/delete-keyspace";
constexpr const char* kExtract = "/v1/face/extract-embedding";

std::string repeated(const std::string& text, int times) {
    std::string all;
    all.reserve(text.size() * static_cast<std::size_t>(times));
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

std::string base64Of(const std::string& bytes) {
    return wire::encodeBase64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

std::string fileBytes(const std::filesystem::path& file) {
    const auto bytes = test::readBytes(file);
    return {bytes.begin(), bytes.end()};
}

std::string floats(int count, const std::string& value) {
    std::string text = "[";
    for (int i = 0; i < count; ++i)
        text += (i ? "," : "") + value;
    return text + "]";
}

/// Collects the rows, a group at a time.
class Rows {
public:
    std::vector<BadInput> all() {
        jsonRows();
        imageRows();
        faceRows();
        idRows();
        fieldRows();
        return std::move(m_rows);
    }

private:
    void jsonRows();
    void imageRows();
    void faceRows();
    void idRows();
    void fieldRows();
    void row(std::string name, const char* path, std::string body, int status, const char* token = "") {
        m_rows.push_back({std::move(name), path, std::move(body), status, token});
    }
    /// An enrolment with that image.
    [[nodiscard]] static std::string enrolment(const std::string& base64) {
        return R"({"keyspace":"default","image":")" + base64 + R"("})";
    }
    /// A search by an embedding, with more fields.
    [[nodiscard]] static std::string search(const std::string& fields) {
        return R"({"keyspace":"default","embedding":)" + floats(512, "0.1") + fields + "}";
    }

    std::vector<BadInput> m_rows;
};

void Rows::jsonRows() {
    row("empty body", kEnrol, "", 400, "invalid_json");
    row("spaces", kEnrol, "   ", 400, "invalid_json");
    row("null document", kEnrol, "null", 400, "not_an_object");
    row("array document", kEnrol, "[]", 400, "not_an_object");
    row("text document", kEnrol, "\"x\"", 400, "not_an_object");
    row("number document", kEnrol, "1", 400, "not_an_object");
    row("cut", kEnrol, R"({"keyspace":"default")", 400, "invalid_json");
    row("trailing comma", kEnrol, R"({"keyspace":"default",})", 400, "invalid_json");
    row("comment", kEnrol, R"({/* */"keyspace":"default"})", 400, "invalid_json");
    row("single quotes", kEnrol, R"({'keyspace':'default'})", 400, "invalid_json");
    row("two documents", kEnrol, "{}{}", 400, "invalid_json");
    row("bytes behind", kEnrol, "{} x", 400, "invalid_json");
    row("100,000 arrays", kEnrol, repeated("[", 100'000), 400, "json_too_deep");
    row("512,000 arrays", kEnrol, repeated("[", 512'000), 400, "json_too_deep");
    row("100,000 objects", kEnrol, repeated("{\"a\":", 100'000), 400, "json_too_deep");
    row("depth 32 in an unknown field", kRecognise, search(",\"x\":" + repeated("[", 31) + repeated("]", 31)), 200);
    row("depth 33 in an unknown field", kRecognise, search(",\"x\":" + repeated("[", 32) + repeated("]", 32)), 400,
        "json_too_deep");
    row("known key twice", kRecognise, R"({"keyspace":"a","keyspace":"b"})", 400, "duplicate_key");
    row("NaN", kRecognise, search(R"(,"additional_params":{"candidateCount":NaN})"), 400, "invalid_json");
    row("leading zero", kRecognise, search(R"(,"additional_params":{"candidateCount":01})"), 400, "invalid_json");
    row("1e999", kRecognise, search(R"(,"additional_params":{"candidateCount":1e999})"), 400,
        "candidate_count_invalid");
    row("400 digits", kRecognise, search(R"(,"additional_params":{"candidateCount":)" + repeated("9", 400) + "}"), 400,
        "candidate_count_invalid");
    row("bad UTF-8", kEnrol, "{\"keyspace\":\"\xC3\x28\"}", 400, "invalid_utf8");
    row("overlong UTF-8", kEnrol, "{\"keyspace\":\"\xC0\xAF\"}", 400, "invalid_utf8");
    row("lone surrogate", kEnrol, R"({"keyspace":"\ud800"})", 400, "invalid_utf8");
    row("surrogates in the wrong order", kEnrol, R"({"keyspace":"\udc00\ud800"})", 400, "invalid_utf8");
    row("NUL in a keyspace", kRecognise, R"({"keyspace":"a\u0000b","embedding":)" + floats(512, "0.1") + "}", 400,
        "invalid_keyspace");
    row("unknown fields", kRecognise, search(R"(,"foo":{"bar":[1,2,{"x":null}]},"__proto__":1)"), 200);
    row("byte order mark", kRecognise, "\xEF\xBB\xBF" + search(""), 200);
    row("UTF-16", kEnrol, std::string("\xFF\xFE{\0}\0", 6), 400, "invalid_json");
    std::string keys = "{";
    for (int i = 0; i < 10'001; ++i)
        keys += "\"k" + std::to_string(i) + "\":1,";
    row("10,001 keys", kEnrol, keys + "\"z\":1}", 400, "json_too_many_keys");
    row("key of 1,025 bytes", kEnrol, "{\"" + repeated("k", 1025) + "\":1}", 400, "key_too_long");
    row("1,200,001 values", kEnrol, "{\"x\":" + floats(1'200'001, "1") + "}", 400, "json_too_large");
    row("params not an object", kRecognise, search(R"(,"additional_params":7)"), 400, "invalid_params");
}

void Rows::imageRows() {
    row("no image", kEnrol, R"({"keyspace":"default"})", 400, "image_missing");
    row("image null", kEnrol, R"({"keyspace":"default","image":null})", 400, "image_missing");
    row("image empty", kEnrol, enrolment(""), 400, "image_missing");
    row("image number", kEnrol, R"({"keyspace":"default","image":7})", 400, "image_not_string");
    row("image object", kEnrol, R"({"keyspace":"default","image":{}})", 400, "image_not_string");
    row("image array", kEnrol, R"({"keyspace":"default","image":[]})", 400, "image_not_string");
    row("not base64", kEnrol, enrolment("!!!!"), 400, "image_not_base64");
    row("length 1 mod 4", kEnrol, enrolment("AAAAA"), 400, "image_not_base64");
    row("padding inside", kEnrol, enrolment("AA==AAAA"), 400, "image_not_base64");
    const auto bytes = [&](const char* name, const std::string& content, const char* token) {
        row(name, kEnrol, enrolment(base64Of(content)), 400, token);
    };
    using namespace std::string_literals;
    bytes("text", "hello world, this is no image", "image_invalid");
    bytes("PDF", "%PDF-1.7 and more", "image_invalid");
    bytes("ZIP", "PK\x03\x04 and more bytes", "image_invalid");
    bytes("ELF",
          "\x7f"
          "ELF\x02\x01\x01 and more",
          "image_invalid");
    bytes("one byte", "x", "image_invalid");
    bytes("PNG of 19,000 squared", pngHeaderOnly(19'000, 19'000), "image_too_large");
    bytes("JPEG of 65,500 squared", jpegHeaderOnly(65'500, 65'500), "image_too_large");
    bytes("BMP of 50,000 squared", bmpHeaderOnly(50'000, 50'000), "image_too_large");
    bytes("PNG just over 50 M pixels", pngHeaderOnly(10'000, 5'001), "image_too_large");
    bytes("PNG of 8 by 8", plainPng(8, 8), "image_too_small");
    bytes("PNG of no size", pngHeaderOnly(0, 100), "image_invalid");
    bytes("GIF", "GIF89a\x40\0\x40\0\x80\0\0"s, "image_unsupported");
    bytes("TIFF", "II*\0\x08\0\0\0"s + std::string(64, '\0'), "image_unsupported");
    bytes("HEIC",
          "\0\0\0\x18"
          "ftypheic\0\0\0\0mif1heic"s,
          "image_unsupported");
    bytes("AVIF",
          "\0\0\0\x18"
          "ftypavif\0\0\0\0mif1avif"s,
          "image_unsupported");
    bytes("PSD", "8BPS\0\x01"s + std::string(32, '\0'), "image_unsupported");
    bytes("SVG with an entity",
          R"(<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>)",
          "image_unsupported");
    const auto jpeg = fileBytes(photo("jesper.jpg").value_or("none"));
    bytes("half a JPEG", jpeg.substr(0, jpeg.size() / 2), "image_invalid");
    auto png = plainPng(64, 64);
    png[png.size() / 2] = static_cast<char>(png[png.size() / 2] ^ 0x55);
    bytes("PNG with a wrong checksum", png, "image_invalid");
    bytes("10,000 empty JPEG segments", "\xff\xd8"s + repeated("\xff\xe5\x00\x02"s, 10'000) + jpeg.substr(2),
          "image_invalid");
    bytes("black picture", plainJpeg(320, 240), "no_face");
    bytes("noise", noisePng(320, 240), "no_face");
    row("no face to extract is no error", kExtract, R"({"image":")" + base64Of(plainJpeg(320, 240)) + R"("})", 200);
    row("26 MiB image", kEnrol, enrolment(base64Of("\xff\xd8" + std::string(26u << 20, 'x'))), 400, "image_too_large");
}

void Rows::faceRows() {
    const auto file = photo("jesper.jpg").value_or("none").string();
    const auto recognition = [&](const std::string& base64, const std::string& params = "{}") {
        return R"({"keyspace":"default","image":")" + base64 + R"(","additional_params":)" + params + "}";
    };
    const auto text = base64Of(fileBytes(file));
    std::string broken;
    for (std::size_t at = 0; at < text.size(); at += 76)
        broken += text.substr(at, 76) + "\\r\\n";
    row("line breaks in base64", kRecognise, recognition(broken), 200);
    row("no padding", kRecognise, recognition(text.substr(0, text.find_last_not_of('=') + 1)), 200);
    auto urlSafe = text;
    std::replace(urlSafe.begin(), urlSafe.end(), '+', '-');
    std::replace(urlSafe.begin(), urlSafe.end(), '/', '_');
    row("URL-safe base64", kRecognise, recognition(urlSafe), 200);
    row("data prefix", kRecognise, recognition("data:image/jpeg;base64," + text), 200);
    row("bytes behind the image", kRecognise, recognition(base64Of(fileBytes(file) + "and more")), 200);
    row("tiny face", kEnrol, enrolment(base64Of(scaledPhoto(file, 48))), 400, "no_face");
    const auto both = base64Of(photosSideBySide(file, photo("jesper_2.jpg").value_or("none").string()));
    row("two faces", kRecognise, recognition(both), 200);
    row("two faces where one is asked for", kRecognise, recognition(both, R"({"require_single_face":true})"), 400,
        "multiple_faces");
    row("landscape", kRecognise, recognition(base64Of(fileBytes(photo("donna.jpg").value_or("none")))), 400, "no_face");
}

void Rows::idRows() {
    const auto removal = [](const std::string& ids) { return R"({"keyspace":"default","face_ids":)" + ids + "}"; };
    const auto idOf = [&](const char* name, const std::string& json, bool accepted) {
        row(name, kDelete, removal("[" + json + "]"), accepted ? 200 : 400, "invalid_face_ids");
    };
    idOf("integer id", "7", true);
    idOf("20-digit id", "12345678901234567890", true);
    idOf("SQL as id", R"("'; DROP TABLE enrollment;--")", true);
    idOf("placeholder as id", R"("$1")", true);
    idOf("format as id", R"("%s%n")", true);
    idOf("backslashes as id", R"("\\x00")", true);
    idOf("path as id", R"("../../etc/passwd")", true);
    idOf("composed letter", "\"\xC3\xA9\"", true);
    idOf("emoji", "\"\xF0\x9F\x98\x80\"", true);
    const auto enrolAs = [&](const std::string& json) {
        return R"({"keyspace":"default","image":"AAAA","additional_params":{"face_id":)" + json + "}}";
    };
    for (const auto& [name, json] : {std::pair("empty id", std::string("\"\"")),
                                     {"fraction as id", "1.5"},
                                     {"bool as id", "true"},
                                     {"object as id", "{}"},
                                     {"256-byte id", "\"" + repeated("x", 256) + "\""},
                                     {"1 MB id", "\"" + repeated("x", 1'000'000) + "\""},
                                     {"NUL in id", R"("a\u0000b")"},
                                     {"line feed in id", R"("a\nb")"},
                                     {"header in id", R"("a\r\nSet-Cookie: x")"},
                                     {"escape in id", R"("a\u001bb")"},
                                     {"DEL in id", R"("a\u007fb")"},
                                     {"bidi control in id", R"("a\u202eb")"},
                                     {"space at an end", R"("a ")"}})
        row(name, kEnrol, enrolAs(json), 400, "invalid_face_id");
    row("empty id in a match", kMatch2,
        R"({"face_a":{"embedding":)" + floats(512, "0.1") + R"(},"face_b":{"keyspace":"default","face_id":""}})", 400,
        "invalid_face_id");
    row("ids not an array", kDelete, removal("\"x\""), 400, "invalid_face_ids");
    row("an id that is no text", kDelete, removal("[{}]"), 400, "invalid_face_ids");
    row("no ids", kDelete, removal("[]"), 200);
    row("unknown id", kDelete, removal(R"(["nobody"])"), 200);
    row("id twice", kDelete, removal(R"(["nobody","nobody"])"), 200);
    const auto many = [](int count) {
        std::string ids = "[";
        for (int i = 0; i < count; ++i)
            ids += (i ? "," : "") + std::string("\"unknown-") + std::to_string(i) + "\"";
        return ids + "]";
    };
    row("100,001 ids", kDelete, removal(many(100'001)), 400, "too_many_ids");
    row("foreign variation", kDeleteVariation,
        R"({"keyspace":"default","face_id":"jesper","variations":["18446744073709551615"]})", 200);
    row("variation of an unknown face", kDeleteVariation,
        R"({"keyspace":"default","face_id":"nobody","variations":["1"]})", 200);
    row("variation that is no number", kDeleteVariation,
        R"({"keyspace":"default","face_id":"jesper","variations":["x"]})", 400, "invalid_variations");
}

void Rows::fieldRows() {
    const auto with = floats(512, "0.1");
    row("no keyspace", kRecognise, R"({"embedding":)" + with + "}", 400, "keyspace_missing");
    row("keyspace null", kRecognise, R"({"keyspace":null,"embedding":)" + with + "}", 400, "keyspace_missing");
    for (const auto& [name, json] : {std::pair("empty keyspace", std::string("\"\"")),
                                     {"129-byte keyspace", "\"" + repeated("k", 129) + "\""},
                                     {"number as keyspace", "7"},
                                     {"path as keyspace", R"("../../etc/passwd")"},
                                     {"dots as keyspace", R"("..")"},
                                     {"backslash in a keyspace", R"("C:\\x")"}})
        row(name, kRecognise, R"({"keyspace":)" + std::string(json) + R"(,"embedding":)" + with + "}", 400,
            "invalid_keyspace");
    row("device name as keyspace", kKeyspace, R"({"keyspace":"CON"})", 200);
    row("unknown keyspace to recognise", kRecognise, R"({"keyspace":"nowhere","embedding":)" + with + "}", 404,
        "keyspace_not_found");
    row("unknown keyspace to enrol", kEnrol, R"({"keyspace":"nowhere","image":"AAAA"})", 404, "keyspace_not_found");
    row("unknown keyspace to delete from", kDelete, R"({"keyspace":"nowhere","face_ids":["a"]})", 404,
        "keyspace_not_found");
    row("unknown keyspace to delete", kDeleteKeyspace, R"({"keyspace":"nowhere"})", 404, "keyspace_not_found");
    row("keyspace made", kKeyspace, R"({"keyspace":"twice"})", 200);
    row("keyspace made again", kKeyspace, R"({"keyspace":"twice"})", 200);
    for (const char* count : {"0", "-1", "1001", "1000000000", "9223372036854775808", "1.5", "\"5\"", "true", "[]"})
        row(std::string("candidateCount ") + count, kRecognise,
            search(std::string(R"(,"additional_params":{"candidateCount":)") + count + "}"), 400,
            "candidate_count_invalid");
    for (const char* count : {"null", "1", "1000"})
        row(std::string("candidateCount ") + count, kRecognise,
            search(std::string(R"(,"additional_params":{"candidateCount":)") + count + "}"), 200);
    const auto embedding = [](const std::string& json) { return R"({"keyspace":"default","embedding":)" + json + "}"; };
    for (const auto& [name, json] : {std::pair("embedding of 511", floats(511, "0.1")),
                                     {"empty embedding", "[]"},
                                     {"embedding of a million", floats(1'000'000, "0.1")},
                                     {"embedding of texts", floats(512, "\"1\"")},
                                     {"null in an embedding", "[null," + floats(511, "0.1").substr(1)},
                                     {"1e39 in an embedding", "[1e39," + floats(511, "0.1").substr(1)},
                                     {"embedding of zeros", floats(512, "0")}})
        row(name, kRecognise, embedding(json), 400, "embedding_invalid");
    row("two probes", kRecognise, R"({"keyspace":"default","image":"AAAA","embedding":)" + with + "}", 400,
        "ambiguous_input");
    row("side without an input", kMatch2, R"({"face_a":{},"face_b":{"embedding":)" + with + "}}", 400, "input_missing");
    row("side with two inputs", kMatch2,
        R"({"face_a":{"image":"AAAA","embedding":)" + with + R"(},"face_b":{"embedding":)" + with + "}}", 400,
        "ambiguous_input");
    row("match with an unknown face", kMatch2,
        R"({"face_a":{"embedding":)" + with + R"(},"face_b":{"keyspace":"default","face_id":"nobody"}})", 404,
        "face_not_found");
    row("embedding of another space", kMatch2,
        R"({"face_a":{"space":"other","embedding":)" + with + R"(},"face_b":{"embedding":)" + with + "}}", 400,
        "space_mismatch");
    row("no such path", "/v1/face/nothing", "{}", 404, "not_found");
}

} // namespace

std::vector<BadInput> badInputs() {
    return Rows().all();
}

} // namespace fremis::test
