#include "shared/storage/operation_codec.h"

#include "shared/storage/row_codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace fremis::storage {
namespace {

using base::Reason;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

constexpr std::uint8_t kFormat = 1;
constexpr std::size_t kMaxEmbedding = 8'192;
constexpr std::size_t kMaxShortText = 255;

enum class Kind : std::uint8_t {
    AddVariation = 1,
    DeleteFace = 2,
    DeleteVariation = 3,
    CreateKeyspace = 4,
    DropKeyspace = 5,
    SetThreshold = 6,
};

class Writer {
public:
    explicit Writer(Kind kind) { number(kFormat).number(static_cast<std::uint8_t>(kind)); }

    template<class T> Writer& number(T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        m_bytes.append(bytes, sizeof(T));
        return *this;
    }
    Writer& text(std::string_view value) {
        number(static_cast<std::uint32_t>(value.size()));
        m_bytes.append(value);
        return *this;
    }
    Writer& version(base::Version value) { return number(value.stamp).number(value.writer); }
    Writer& opId(const OpId& id) {
        m_bytes.append(reinterpret_cast<const char*>(id.data()), id.size());
        return *this;
    }
    Writer& optional(const std::optional<double>& value) {
        return number(std::uint8_t{value.has_value()}).number(value.value_or(0));
    }
    Writer& floats(std::span<const float> values) {
        number(static_cast<std::uint32_t>(values.size()));
        const auto bytes = bytesOf(values);
        m_bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return *this;
    }
    [[nodiscard]] std::string finish() {
        number(XXH3_64bits(m_bytes.data(), m_bytes.size()));
        return std::move(m_bytes);
    }

private:
    std::string m_bytes;
};

/// After the first read that cannot be, all reads give nothing.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_rest(bytes) {}

    template<class T> T number() {
        T value{};
        if (const auto bytes = take(sizeof(T)); bytes.size() == sizeof(T))
            std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }
    std::string text(std::size_t most) {
        const auto size = number<std::uint32_t>();
        if (size > most)
            breakOff("a text is too long");
        return std::string(take(m_why.empty() ? size : 0));
    }
    base::Version version() {
        const auto stamp = number<std::uint64_t>();
        return {stamp, number<std::uint64_t>()};
    }
    OpId opId() {
        OpId id{};
        if (const auto bytes = take(id.size()); bytes.size() == id.size())
            std::memcpy(id.data(), bytes.data(), id.size());
        return id;
    }
    double finite() {
        const auto value = number<double>();
        if (!std::isfinite(value))
            breakOff("a number is not finite");
        return value;
    }
    std::optional<double> optional() {
        const auto there = number<std::uint8_t>();
        const auto value = finite();
        if (there > 1 || (there == 0 && std::bit_cast<std::uint64_t>(value) != 0))
            breakOff("an absent number has a value");
        return there == 1 ? std::optional(value) : std::nullopt;
    }
    std::vector<float> floats() {
        const auto size = number<std::uint32_t>();
        if (size > kMaxEmbedding)
            breakOff("an embedding is too long");
        const auto bytes = take(m_why.empty() ? size * sizeof(float) : 0);
        std::vector<float> values(bytes.size() / sizeof(float));
        if (!values.empty())
            std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    std::string incarnation() {
        auto value = text(kMaxShortText);
        for (const char c : value)
            if (c <= ' ' || c >= 127)
                breakOff("an incarnation is not printable");
        return value;
    }
    base::FaceId face() { return parsed(base::FaceId::parse(text(kMaxShortText)), base::FaceId::trusted({})); }
    base::KeyspaceName keyspace() {
        return parsed(base::KeyspaceName::parse(text(kMaxShortText)), base::KeyspaceName::trusted({}));
    }
    std::chrono::milliseconds time() { return std::chrono::milliseconds(number<std::int64_t>()); }

    [[nodiscard]] bool finished() const { return m_why.empty() && m_rest.empty(); }
    [[nodiscard]] std::string why() const { return m_why.empty() ? "it is too long" : m_why; }

private:
    template<class T> T parsed(base::Result<T> value, T otherwise) {
        if (value)
            return std::move(*value);
        breakOff(value.error().message);
        return otherwise;
    }
    std::string_view take(std::size_t size) {
        if (size > m_rest.size()) {
            breakOff("it is too short");
            return {};
        }
        const auto taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }
    void breakOff(std::string_view why) {
        if (m_why.empty())
            m_why = why;
        m_rest = {};
    }

    std::string_view m_rest;
    std::string m_why;
};

std::string write(const AddVariation& operation) {
    const auto& row = operation.row;
    return Writer(Kind::AddVariation)
        .text(row.incarnation)
        .text(row.face.text())
        .number(row.variation.value())
        .number(row.partition)
        .version(row.version)
        .text(row.space)
        .floats(row.embedding)
        .number(row.norm)
        .number(std::int64_t{row.createdAt.count()})
        .opId(operation.opId)
        .finish();
}

std::string write(const DeleteFace& operation) {
    return Writer(Kind::DeleteFace)
        .text(operation.incarnation)
        .text(operation.face.text())
        .number(operation.partition)
        .version(operation.version)
        .opId(operation.opId)
        .finish();
}

std::string write(const DeleteVariation& operation) {
    return Writer(Kind::DeleteVariation)
        .text(operation.incarnation)
        .text(operation.face.text())
        .number(operation.variation.value())
        .number(operation.partition)
        .version(operation.version)
        .opId(operation.opId)
        .finish();
}

std::string write(const CreateKeyspace& operation) {
    return Writer(Kind::CreateKeyspace)
        .text(operation.name.text())
        .text(operation.incarnation)
        .optional(operation.matchThreshold)
        .version(operation.version)
        .number(std::int64_t{operation.createdAt.count()})
        .opId(operation.opId)
        .finish();
}

std::string write(const DropKeyspace& operation) {
    return Writer(Kind::DropKeyspace)
        .text(operation.name.text())
        .text(operation.incarnation)
        .text(operation.newIncarnation)
        .version(operation.version)
        .opId(operation.opId)
        .finish();
}

std::string write(const SetThreshold& operation) {
    return Writer(Kind::SetThreshold)
        .text(operation.incarnation)
        .optional(operation.matchThreshold)
        .version(operation.version)
        .opId(operation.opId)
        .finish();
}

// Braces: their elements are read from left to right.
AddVariation readAddVariation(Reader& in) {
    return {Enrollment{in.incarnation(), in.face(), base::Variation(in.number<std::uint64_t>()),
                       in.number<base::Partition>(), in.version(), in.text(kMaxShortText), in.floats(), in.finite(),
                       in.time()},
            in.opId(), false};
}

DeleteFace readDeleteFace(Reader& in) {
    return {in.incarnation(), in.face(), in.number<base::Partition>(), in.version(), in.opId(), false};
}

DeleteVariation readDeleteVariation(Reader& in) {
    return {in.incarnation(),
            in.face(),
            base::Variation(in.number<std::uint64_t>()),
            in.number<base::Partition>(),
            in.version(),
            in.opId(),
            false};
}

CreateKeyspace readCreateKeyspace(Reader& in) {
    return {in.keyspace(), in.incarnation(), in.optional(), in.version(), in.time(), in.opId()};
}

DropKeyspace readDropKeyspace(Reader& in) {
    return {in.keyspace(), in.incarnation(), in.incarnation(), in.version(), in.opId()};
}

SetThreshold readSetThreshold(Reader& in) {
    return {in.incarnation(), in.optional(), in.version(), in.opId()};
}

std::optional<Operation> readOperation(std::uint8_t kind, Reader& in) {
    switch (static_cast<Kind>(kind)) {
    case Kind::AddVariation:
        return readAddVariation(in);
    case Kind::DeleteFace:
        return readDeleteFace(in);
    case Kind::DeleteVariation:
        return readDeleteVariation(in);
    case Kind::CreateKeyspace:
        return readCreateKeyspace(in);
    case Kind::DropKeyspace:
        return readDropKeyspace(in);
    case Kind::SetThreshold:
        return readSetThreshold(in);
    }
    return std::nullopt;
}

tl::unexpected<base::Error> invalid(std::string why) {
    return base::fail(Reason::InvalidParams, "an operation's record makes no sense", std::move(why));
}

} // namespace

std::string encode(const Operation& operation) {
    return std::visit([](const auto& one) { return write(one); }, operation);
}

base::Result<Operation> decode(std::string_view bytes) {
    constexpr std::size_t kChecksum = sizeof(std::uint64_t);
    if (bytes.size() < 2 + kChecksum || bytes.size() > kMaxOperationBytes)
        return base::fail(Reason::CorruptData, "an operation's record is damaged", "its length");
    const auto content = bytes.substr(0, bytes.size() - kChecksum);
    if (Reader(bytes.substr(content.size())).number<std::uint64_t>() != XXH3_64bits(content.data(), content.size()))
        return base::fail(Reason::CorruptData, "an operation's record is damaged", "its checksum");
    Reader in(content);
    if (const auto format = in.number<std::uint8_t>(); format != kFormat)
        return invalid("it has the format " + std::to_string(format));
    const auto kind = in.number<std::uint8_t>();
    auto operation = readOperation(kind, in);
    if (!operation)
        return invalid("it is of the kind " + std::to_string(kind));
    if (!in.finished())
        return invalid(in.why());
    return *std::move(operation);
}

std::optional<base::Partition> partitionOf(const Operation& operation) {
    return std::visit(
        [](const auto& one) -> std::optional<base::Partition> {
            if constexpr (requires { one.row; })
                return one.row.partition;
            else if constexpr (requires { one.partition; })
                return one.partition;
            else
                return std::nullopt;
        },
        operation);
}

} // namespace fremis::storage
