#include "shared/wire/internal_parts.h"

#include "shared/wire/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace fremis::wire::internal {

using base::Reason;

namespace {

constexpr std::size_t kMaxEpoch = 64;

std::array<std::uint8_t, 8> bigEndian(std::uint64_t value) {
    std::array<std::uint8_t, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    return bytes;
}

std::uint64_t numberOf(std::span<const std::uint8_t, 8> bytes) {
    std::uint64_t value = 0;
    for (const auto byte : bytes)
        value = value << 8 | byte;
    return value;
}

Id partId(const Id& call, char kind, std::string_view part) {
    std::string input(call.begin(), call.end());
    input.append(1, kind).append(part);
    Digest digest{};
    EVP_Digest(input.data(), input.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    Id id{};
    std::copy_n(digest.begin(), id.size(), id.begin());
    return id;
}

base::Result<std::string> epochText(std::string_view text, bool mayBeEmpty) {
    const auto isPlain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    };
    if ((text.empty() && !mayBeEmpty) || text.size() > kMaxEpoch || !std::ranges::all_of(text, isPlain))
        return base::fail(Reason::InvalidParams, "not an epoch");
    return std::string(text);
}

static_assert(std::endian::native == std::endian::little);

base::Result<std::vector<float>> embeddingOf(std::span<const std::uint8_t> bytes) {
    if (bytes.size() > kMaxEmbeddingLength * sizeof(float) || bytes.size() % sizeof(float) != 0)
        return base::fail(Reason::EmbeddingInvalid, "an embedding has no length of its kind");
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    if (auto sound = checkEmbedding(values); !sound)
        return tl::unexpected(std::move(sound.error()));
    return values;
}

} // namespace

void writeRecords(JsonWriter& json, std::string_view name, std::span<const Record> records) {
    writeList(json, name, records, [&](const Record& record) {
        json.value(encodeBase64({reinterpret_cast<const std::uint8_t*>(record.data()), record.size()}));
    });
}

void writeIds(JsonWriter& json, std::string_view name, std::span<const Id> ids) {
    writeList(json, name, ids, [&](const Id& id) { json.value(textOf(id)); });
}

void writeFaceIds(JsonWriter& json, std::string_view name, std::span<const base::FaceId> ids) {
    writeList(json, name, ids, [&](const base::FaceId& id) { json.value(id.text()); });
}

void writeEmbeddings(JsonWriter& json, const FaceEmbeddingsReply& face) {
    json.member("space", face.space);
    writeList(json, "embeddings", face.embeddings, [&](const std::vector<float>& values) {
        json.value(encodeBase64({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(float)}));
    });
}

FaceEmbeddingsReply embeddingsOf(Fields& fields) {
    auto space = fields.text("space", kMaxText);
    auto read = [buffer = Bytes()](JsonValue value) mutable -> base::Result<std::vector<float>> {
        if (!value.is(JsonKind::String) || !decodeBase64(value.text(), buffer))
            return base::fail(Reason::InvalidParams, "an embedding is not base64 text");
        return embeddingOf(buffer);
    };
    return {std::move(space), fields.values("embeddings", 0, kMaxIdsPerDelete, std::move(read))};
}

void writeVersion(JsonWriter& json, std::string_view name, const std::optional<base::Version>& version) {
    json.key(name);
    version ? json.value(textOf(*version)) : json.null();
}

std::string epochOf(Fields& fields, bool mayBeEmpty) {
    return parsed(fields, "epoch", kMaxEpoch,
                  [mayBeEmpty](std::string_view text) { return epochText(text, mayBeEmpty); });
}

Id idOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 2 * sizeof(Id), parseId);
}

base::Version versionOf(Fields& fields, std::string_view key) {
    return parsed(fields, key, 32, parseVersion);
}

std::optional<base::Version> optionalVersion(Fields& fields, std::string_view key) {
    return fields.find(key) ? std::optional(versionOf(fields, key)) : std::nullopt;
}

std::vector<Id> idsOf(Fields& fields, std::string_view key) {
    if (!fields.find(key))
        return {};
    return fields.values(key, 0, kMaxNodes, fromText(parseId));
}

std::vector<Record> recordsOf(Fields& fields, std::string_view key, std::size_t least, std::size_t most) {
    return fields.values(key, least, most, [buffer = Bytes()](JsonValue value) mutable -> base::Result<Record> {
        if (!value.is(JsonKind::String) || !decodeBase64(value.text(), buffer))
            return base::fail(Reason::InvalidParams, "a record is not base64 text");
        return Record(buffer.begin(), buffer.end());
    });
}

base::Partition partitionOf(Fields& fields) {
    return static_cast<base::Partition>(fields.integer<int>("partition", 0, base::kPartitionCount - 1));
}

std::string textOf(const Id& id) {
    return base::hexText(id);
}

std::string instanceOf(const Id& node, std::uint64_t generation) {
    return textOf(node) + '-' + std::to_string(generation);
}

base::Result<Id> parseId(std::string_view text) {
    return bytesOf<sizeof(Id)>(text);
}

std::string textOf(base::Version version) {
    return base::hexText(bigEndian(version.stamp)) + base::hexText(bigEndian(version.writer));
}

base::Result<base::Version> parseVersion(std::string_view text) {
    const auto bytes = bytesOf<16>(text);
    if (!bytes)
        return tl::unexpected(bytes.error());
    const std::span<const std::uint8_t, 16> all(*bytes);
    return base::Version{numberOf(all.first<8>()), numberOf(all.last<8>())};
}

Id faceOpId(const Id& call, const base::FaceId& face) {
    return partId(call, 'f', face.text());
}

Id variationOpId(const Id& call, base::Variation variation) {
    return partId(call, 'v', variation.text());
}

} // namespace fremis::wire::internal
