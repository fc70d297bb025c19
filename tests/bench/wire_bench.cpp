// Cost of request bodies: an enrolment with a photo of 1 MB from the body's text to the photo's bytes, and the parts of
// that.
//   cmake --preset bench && cmake --build build/bench --target wire_bench && build/bench/bin/wire_bench
#include "shared/wire/base64.h"
#include "shared/wire/image_header.h"
#include "shared/wire/json.h"
#include "shared/wire/replies.h"
#include "shared/wire/requests.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <random>

using namespace fremis;

namespace {

constexpr std::size_t kPhotoBytes = 1'000'000;

// A JPEG in its form: headers, noise for pixels with its FF bytes stuffed, the end.
wire::Bytes photo() {
    wire::Bytes bytes{0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x02, 0xD0, 0x05, 0x00, 1, 1,
                      0x11, 0,    0xFF, 0xDA, 0, 8,  1, 1,    0,    0,    63,   0};
    std::mt19937 random(1);
    while (bytes.size() < kPhotoBytes - 2) {
        bytes.push_back(static_cast<std::uint8_t>(random()));
        if (bytes.back() == 0xFF)
            bytes.push_back(0x00);
    }
    bytes.insert(bytes.end(), {0xFF, 0xD9});
    return bytes;
}

std::string enrollment(std::string_view image) {
    return "{\"image\": \"" + std::string(image) +
           "\", \"keyspace\": \"default\", \"additional_params\": {\"face_id\": \"1234567891\"}}";
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

void setBytes(benchmark::State& state, std::size_t bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
}

void bodyToPhoto(benchmark::State& state, const std::string& body) {
    wire::Bytes file;
    for (auto _ : state) {
        auto request = wire::parseEnrollment(body);
        if (!request || !wire::decodeBase64(request->image.base64, file))
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(file.data());
    }
    setBytes(state, body.size());
}

void jsonAlone(benchmark::State& state, const std::string& body) {
    for (auto _ : state) {
        auto document = wire::JsonDocument::parse(body);
        if (!document)
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(document);
    }
    setBytes(state, body.size());
}

void copyOfTheBody(benchmark::State& state, const std::string& body) {
    std::string copy(body.size(), '\0');
    for (auto _ : state) {
        std::memcpy(copy.data(), body.data(), body.size());
        benchmark::DoNotOptimize(copy.data());
    }
    setBytes(state, body.size());
}

void base64Alone(benchmark::State& state, const std::string& text) {
    wire::Bytes file;
    for (auto _ : state) {
        if (!wire::decodeBase64(text, file))
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(file.data());
    }
    setBytes(state, text.size());
}

void envelopeAlone(benchmark::State& state, const wire::Bytes& file) {
    for (auto _ : state) {
        auto header = wire::checkImageEnvelope(file);
        if (!header)
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(header);
    }
    setBytes(state, file.size());
}

void searchByEmbedding(benchmark::State& state, const std::string& body) {
    for (auto _ : state) {
        auto request = wire::parseRecognition(body);
        benchmark::DoNotOptimize(request);
    }
    setBytes(state, body.size());
}

void deleteOfIds(benchmark::State& state, const std::string& body) {
    for (auto _ : state) {
        auto request = wire::parseDeleteEnrollment(body);
        if (!request)
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(request);
    }
    setBytes(state, body.size());
}

void recognitionReply(benchmark::State& state) {
    wire::RecognitionReply reply;
    for (int i = 0; i < 5; ++i)
        reply.candidates.push_back({base::FaceId::trusted("123456789" + std::to_string(i)), 0.9359 - i * 0.1,
                                    base::Variation(9183746501928374650u), 0.6234 - i * 0.1});
    reply.faces.emplace();
    reply.faces->push_back({40, 61, 150, 190, 0.997, true, 3.9, {}, {}});
    for (auto _ : state)
        benchmark::DoNotOptimize(wire::toJson(reply));
}

std::string embeddingBody(std::size_t length) {
    std::string body = "{\"keyspace\": \"default\", \"embedding\": [";
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.0F, 0.04F);
    for (std::size_t i = 0; i < length; ++i)
        body += (i == 0 ? "" : ", ") + std::to_string(normal(random));
    return body + "], \"partitions\": [{\"start\": 0, \"end\": 127}]}";
}

std::string idsBody(std::size_t count) {
    std::string body = "{\"keyspace\": \"default\", \"face_ids\": [";
    for (std::size_t i = 0; i < count; ++i)
        body += (i == 0 ? "\"" : ", \"") + std::to_string(1'234'567'891 + i) + "\"";
    return body + "]}";
}

} // namespace

int main(int argc, char** argv) {
    // As the server does first thing: buffers of ordinary bodies stay in the heap, huge ones go back to the system.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);

    const auto file = photo();
    const auto text = wire::encodeBase64(file);
    const auto body = enrollment(text);
    std::string lines;
    for (std::size_t at = 0; at < text.size(); at += 76)
        lines += text.substr(at, 76) + "\\r\\n";
    const auto inLines = enrollment(lines);
    const auto escaped = enrollment(replaced(text, "/", "\\/")); // as PHP writes it
    auto urlText = text;
    std::replace(urlText.begin(), urlText.end(), '+', '-');
    std::replace(urlText.begin(), urlText.end(), '/', '_');
    const auto urlSafe = enrollment(urlText);
    const auto embedding = embeddingBody(512);
    const auto hugeEmbedding = embeddingBody(1'000'000);
    const auto ids = idsBody(100'000);

    benchmark::RegisterBenchmark("1 MB photo: body to bytes", bodyToPhoto, body);
    benchmark::RegisterBenchmark("1 MB photo: with line breaks", bodyToPhoto, inLines);
    benchmark::RegisterBenchmark("1 MB photo: with escaped slashes", bodyToPhoto, escaped);
    benchmark::RegisterBenchmark("1 MB photo: URL-safe", bodyToPhoto, urlSafe);
    benchmark::RegisterBenchmark("part: JSON", jsonAlone, body);
    benchmark::RegisterBenchmark("part: base64", base64Alone, text);
    benchmark::RegisterBenchmark("part: JPEG envelope", envelopeAlone, file);
    benchmark::RegisterBenchmark("for scale: copy of the body", copyOfTheBody, body);
    benchmark::RegisterBenchmark("search by embedding of 512", searchByEmbedding, embedding);
    benchmark::RegisterBenchmark("embedding of 10^6 refused", searchByEmbedding, hugeEmbedding);
    benchmark::RegisterBenchmark("delete of 100,000 ids", deleteOfIds, ids);
    benchmark::RegisterBenchmark("recognition reply, 5 candidates", recognitionReply);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
