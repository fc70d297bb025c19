#include "shared/wire/fields.h"

#include <charconv>
#include <cmath>
#include <unordered_set>

namespace fremis::wire {

namespace {

using base::Reason;

// A JSON integer within [least, most]; its digits are read as they stand, so 1.0, 1e2 and 2^63 are no slips of a
// double.
template<std::integral T> std::optional<T> integerOf(JsonValue value, T least, T most) {
    if (!value.is(JsonKind::Number) || !base::isJsonInteger(value.text()))
        return std::nullopt;
    T number = 0;
    const auto text = value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return std::nullopt;
    return number;
}

std::optional<double> doubleOf(JsonValue value) {
    if (!value.is(JsonKind::Number))
        return std::nullopt;
    double number = 0;
    const auto text = value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

// As float32; too large is nothing. Too small for a float is 0 or subnormal, found by the way over double.
std::optional<float> floatOf(JsonValue value) {
    if (!value.is(JsonKind::Number))
        return std::nullopt;
    float number = 0;
    const auto text = value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::result_out_of_range) {
        const auto wide = doubleOf(value);
        if (!wide || std::abs(*wide) >= 1.0)
            return std::nullopt;
        number = static_cast<float>(*wide);
    }
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

tl::unexpected<base::Error> embeddingInvalid(std::string_view problem) {
    return base::fail(Reason::EmbeddingInvalid, "the embedding " + std::string(problem));
}

base::Result<std::vector<float>> floatsOf(JsonValue value) {
    if (!value.is(JsonKind::Array))
        return embeddingInvalid("is not an array");
    if (value.size() == 0 || value.size() > kMaxEmbeddingLength)
        return embeddingInvalid("has a wrong length");
    std::vector<float> floats;
    floats.reserve(value.size());
    for (const JsonValue element : value) {
        const auto number = floatOf(element);
        if (!number)
            return embeddingInvalid("has an element that is not a finite float32");
        floats.push_back(*number);
    }
    if (auto status = checkEmbedding(floats); !status)
        return tl::unexpected(std::move(status.error()));
    return floats;
}

// Keeps the first of equal elements.
template<class T, class ParseOne> base::Result<std::vector<T>> uniqueOf(JsonValue array, ParseOne parseOne) {
    std::vector<T> unique;
    unique.reserve(array.size());
    std::unordered_set<std::string_view> seen;
    seen.reserve(array.size());
    for (const JsonValue element : array) {
        auto one = parseOne(element);
        if (!one)
            return tl::unexpected(std::move(one.error()));
        if (seen.insert(element.text()).second)
            unique.push_back(std::move(*one));
    }
    return unique;
}

bool isText(JsonValue value) {
    return value.is(JsonKind::String);
}
bool isTextOrInteger(JsonValue value) {
    return isText(value) || (value.is(JsonKind::Number) && base::isJsonInteger(value.text()));
}

} // namespace

void Fields::fail(Reason reason, std::string message) {
    if (!failed())
        m_firstError = base::Error{reason, std::move(message), {}};
}

template<class T> T Fields::taken(base::Result<T> result, T otherwise) {
    if (result)
        return std::move(*result);
    fail(result.error().reason, std::move(result.error().message));
    return otherwise;
}

std::optional<JsonValue> Fields::find(std::string_view key) {
    if (!m_object)
        return std::nullopt;
    auto found = m_object->find(key);
    // A key given twice is a fault of the document: it goes before whatever is wrong with a field.
    if (!found && (!failed() || m_firstError->reason != Reason::DuplicateKey))
        m_firstError = std::move(found.error());
    return failed() ? std::nullopt : *found;
}

Fields Fields::object(std::string_view key, Reason wrongType, std::string_view message) {
    const auto value = find(key);
    if (value && value->is(JsonKind::Object))
        return {value->object(), m_firstError};
    if (value)
        fail(wrongType, std::string(message));
    return {std::nullopt, m_firstError};
}

Fields Fields::params() {
    return object("additional_params", Reason::InvalidParams, "the field additional_params is not an object");
}

ImageInput Fields::image(std::string_view key) {
    const auto value = find(key);
    if (value && !isText(*value))
        fail(Reason::ImageNotString, "the image field is not a string");
    else if (!value || value->text().empty())
        fail(Reason::ImageMissing, std::string(kImageNotFound));
    else
        return {std::string(value->text())};
    return {};
}

EmbeddingInput Fields::embedding(JsonValue value) {
    EmbeddingInput input{taken<std::vector<float>>(floatsOf(value), {}), std::nullopt};
    if (const auto space = find("space"); space && isText(*space))
        input.space = std::string(space->text());
    else if (space)
        fail(Reason::InvalidParams, "the field space is not a string");
    return input;
}

base::KeyspaceName Fields::keyspaceOf(JsonValue value) {
    auto none = base::KeyspaceName::trusted({});
    if (isText(value))
        return taken(base::KeyspaceName::parse(value.text()), std::move(none));
    fail(Reason::InvalidKeyspace, "the keyspace is not a string");
    return none;
}

base::KeyspaceName Fields::keyspace() {
    if (auto name = optionalKeyspace())
        return std::move(*name);
    fail(Reason::KeyspaceMissing, "the keyspace field not found");
    return base::KeyspaceName::trusted({});
}

std::optional<base::KeyspaceName> Fields::optionalKeyspace() {
    const auto value = find("keyspace");
    return value ? std::optional(keyspaceOf(*value)) : std::nullopt;
}

base::FaceId Fields::faceIdOf(JsonValue value) {
    auto none = base::FaceId::trusted({});
    if (isTextOrInteger(value))
        return taken(base::FaceId::parse(value.text()), std::move(none));
    fail(Reason::InvalidFaceId, "the face_id is neither a string nor an integer");
    return none;
}

base::FaceId Fields::faceId() {
    if (auto id = optionalFaceId())
        return std::move(*id);
    fail(Reason::InvalidFaceId, "the face_id field not found");
    return base::FaceId::trusted({});
}

std::optional<base::FaceId> Fields::optionalFaceId() {
    const auto value = find("face_id");
    return value ? std::optional(faceIdOf(*value)) : std::nullopt;
}

std::optional<JsonValue> Fields::list(std::string_view key, Reason wrongType) {
    const auto value = find(key);
    if (!value || !value->is(JsonKind::Array)) {
        fail(wrongType, "the field " + std::string(key) + " is not an array");
        return std::nullopt;
    }
    if (value->size() > kMaxIdsPerDelete) {
        fail(Reason::TooManyIds, "the field " + std::string(key) + " has more than 100000 entries");
        return std::nullopt;
    }
    return value;
}

std::vector<base::FaceId> Fields::faceIds() {
    const auto array = list("face_ids", Reason::InvalidFaceIds);
    if (!array)
        return {};
    const auto parseOne = [](JsonValue element) -> base::Result<base::FaceId> {
        auto id = isTextOrInteger(element) ? base::FaceId::parse(element.text())
                                           : base::fail(Reason::InvalidFaceIds, "is neither a string nor an integer");
        if (!id)
            return base::fail(Reason::InvalidFaceIds, "an entry of face_ids is not valid: " + id.error().message);
        return id;
    };
    return taken<std::vector<base::FaceId>>(uniqueOf<base::FaceId>(*array, parseOne), {});
}

std::vector<base::Variation> Fields::variations() {
    const auto array = list("variations", Reason::InvalidVariations);
    if (!array)
        return {};
    const auto parseOne = [](JsonValue element) -> base::Result<base::Variation> {
        if (!isTextOrInteger(element))
            return base::fail(Reason::InvalidVariations, "a variation is neither a string nor an integer");
        return base::Variation::parse(element.text());
    };
    return taken<std::vector<base::Variation>>(uniqueOf<base::Variation>(*array, parseOne), {});
}

std::optional<bool> Fields::flag(std::string_view key) {
    const auto value = find(key);
    if (value && value->is(JsonKind::Bool))
        return value->asBool();
    if (value)
        fail(Reason::InvalidParams, "the field " + std::string(key) + " is not true or false");
    return std::nullopt;
}

std::optional<double> Fields::number(std::string_view key, double least, double most) {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    const auto number = doubleOf(*value);
    if (!number || !(*number >= least && *number <= most))
        fail(Reason::InvalidParams, "the field " + std::string(key) + " is not a number in its range");
    return number;
}

int Fields::candidateCount() {
    const auto value = find("candidateCount");
    if (!value)
        return kDefaultCandidateCount;
    const auto count = integerOf(*value, 1, kMaxCandidateCount);
    if (!count)
        fail(Reason::CandidateCountInvalid, "candidateCount is not an integer in 1..1000");
    return count.value_or(kDefaultCandidateCount);
}

std::optional<std::vector<PartitionRange>> Fields::partitions() {
    if (!find("partitions"))
        return std::nullopt;
    return ranges("partitions", 1);
}

std::vector<PartitionRange> Fields::ranges(std::string_view key, std::size_t least) {
    const auto value = find(key);
    if (!value || !value->is(JsonKind::Array) || value->size() < least || value->size() > base::kPartitionCount) {
        fail(Reason::InvalidParams,
             "the field " + std::string(key) + " is not an array of " + std::to_string(least) + "..256 ranges");
        return {};
    }
    std::vector<PartitionRange> list;
    for (const JsonValue element : *value) {
        Fields range(element.is(JsonKind::Object) ? std::optional(element.object()) : std::nullopt, m_firstError);
        const auto bound = [&](std::string_view side) {
            const auto given = range.find(side);
            return given ? integerOf<int>(*given, 0, base::kPartitionCount - 1) : std::nullopt;
        };
        const auto start = bound("start");
        const auto end = bound("end");
        if (!start || !end || *start > *end) {
            fail(Reason::InvalidParams, "a range of partitions needs start <= end within 0..255");
            return {};
        }
        list.push_back({static_cast<base::Partition>(*start), static_cast<base::Partition>(*end)});
    }
    return list;
}

std::string Fields::text(std::string_view key, std::size_t mostBytes) {
    auto found = optionalText(key, mostBytes);
    if (!found)
        fail(Reason::InvalidParams, "the field " + std::string(key) + " not found");
    return std::move(found).value_or(std::string());
}

std::optional<std::string> Fields::optionalText(std::string_view key, std::size_t mostBytes) {
    const auto value = find(key);
    if (!value)
        return std::nullopt;
    if (!isText(*value) || value->text().size() > mostBytes) {
        fail(Reason::InvalidParams, "the field " + std::string(key) + " is not a string of its length");
        return std::nullopt;
    }
    return std::string(value->text());
}

template<class T> T Fields::integer(std::string_view key, T least, T most) {
    const auto value = find(key);
    const auto number = value ? integerOf(*value, least, most) : std::nullopt;
    if (!number)
        fail(Reason::InvalidParams, "the field " + std::string(key) + " is not an integer in its range");
    return number.value_or(least);
}
template int Fields::integer(std::string_view, int, int);
template std::int64_t Fields::integer(std::string_view, std::int64_t, std::int64_t);
template std::uint64_t Fields::integer(std::string_view, std::uint64_t, std::uint64_t);

double Fields::real(std::string_view key, double least, double most) {
    const auto found = number(key, least, most);
    if (!found)
        fail(Reason::InvalidParams, "the field " + std::string(key) + " not found");
    return found.value_or(least);
}

bool Fields::truth(std::string_view key) {
    const auto found = flag(key);
    if (!found)
        fail(Reason::InvalidParams, "the field " + std::string(key) + " not found");
    return found.value_or(false);
}

std::optional<JsonValue> Fields::array(std::string_view key, std::size_t least, std::size_t most) {
    const auto value = find(key);
    if (value && value->is(JsonKind::Array) && value->size() >= least && value->size() <= most)
        return value;
    fail(Reason::InvalidParams, "the field " + std::string(key) + " is not an array of its length");
    return std::nullopt;
}

FaceOptions Fields::faceOptions() {
    FaceOptions options;
    options.requireSingleFace = flag("require_single_face").value_or(false);
    const auto names = find("attributes");
    if (!names)
        return options;
    if (!names->is(JsonKind::Array)) {
        fail(Reason::InvalidParams, "the field attributes is not an array");
        return options;
    }
    for (const JsonValue name : *names) {
        if (!isText(name))
            fail(Reason::InvalidParams, "an entry of attributes is not a string");
        options.liveness |= name.text() == "liveness";
        options.gender |= name.text() == "gender";
        options.age |= name.text() == "age";
    }
    return options;
}

// A keyspace alone makes no side: clients send it beside an image too.
MatchSide Fields::side() {
    const auto image = find("image");
    const auto embeddingValue = find("embedding");
    const auto id = find("face_id");
    const int forms = int{image.has_value()} + int{embeddingValue.has_value()} + int{id.has_value()};
    if (forms > 1)
        fail(Reason::AmbiguousInput, "a face has more than one of image, embedding and face_id");
    else if (forms == 0)
        fail(Reason::InputMissing, "a face has none of image, embedding and face_id");
    if (failed())
        return ImageInput{};
    if (embeddingValue)
        return embedding(*embeddingValue);
    if (id) {
        // The id first: an empty one is told as such, whatever the keyspace.
        auto face = faceIdOf(*id);
        return StoredFace{keyspace(), std::move(face)};
    }
    return this->image();
}

} // namespace fremis::wire
