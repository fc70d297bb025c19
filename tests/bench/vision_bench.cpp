// Time of the face pipeline on real photos, by stage and as a whole, on one thread. "bare" is the sum that a request
// cannot go below: decode, one detection, and landmarks, warp and embedding of one face; "search" is what the server
// calls. Needs fetched data: see tests/support/photos.h.
#include "server/vision/face_finder.h"
#include "server/vision/face_pipeline.h"
#include "server/vision/image_decode.h"
#include "tests/support/photos.h"

#include <benchmark/benchmark.h>
#include <opencv2/imgproc.hpp>

#include <optional>

using namespace fremis;

namespace {

struct Fixture {
    vision::ModelPack pack;
    vision::Stages stages;
    vision::FaceFinder finder;
    std::unique_ptr<vision::FacePipeline> pipeline;

    Fixture(vision::ModelPack loaded, vision::Stages made)
        : pack(std::move(loaded)), stages(std::move(made)), finder(stages, pack.quality()),
          pipeline(std::move(*vision::FacePipeline::create(pack))) {}
};

Fixture& fixture() {
    static Fixture shared = [] {
        auto pack = vision::ModelPack::load(*test::modelPack("fp-mfn512"));
        auto stages = vision::Stages::create(pack->manifest(), pack->files());
        return Fixture(std::move(*pack), std::move(*stages));
    }();
    return shared;
}

std::vector<std::uint8_t> file(const char* name) {
    return test::readBytes(*test::photo(name));
}

vision::FoundFace largestFace(const cv::Mat& photo) {
    return fixture().finder.find(photo).faces.front();
}

void decode(benchmark::State& state, const char* name) {
    const auto bytes = file(name);
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(vision::decodeImage(bytes)->data);
}

void detect(benchmark::State& state, const char* name) {
    const cv::Mat photo = *vision::decodeImage(file(name));
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(fixture().stages.detector->detect(photo).size());
}

void landmarks(benchmark::State& state, const char* name) {
    const cv::Mat photo = *vision::decodeImage(file(name));
    const cv::Rect2f box = largestFace(photo).detection.box;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(fixture().stages.landmarker->find(photo, box).data());
}

/// Alignment and embedding.
void embed(benchmark::State& state, const char* name) {
    const cv::Mat photo = *vision::decodeImage(file(name));
    const auto points = largestFace(photo).landmarks;
    auto& stages = fixture().stages;
    for ([[maybe_unused]] auto _ : state) {
        cv::Mat aligned;
        cv::warpAffine(photo, aligned, stages.aligner->align(points).toTemplate, stages.aligner->size());
        benchmark::DoNotOptimize(stages.embedder->embed(aligned).norm);
    }
}

void bare(benchmark::State& state, const char* name) {
    const auto bytes = file(name);
    auto& stages = fixture().stages;
    for ([[maybe_unused]] auto _ : state) {
        const cv::Mat photo = *vision::decodeImage(bytes);
        const auto box = stages.detector->detect(photo).front().box;
        const auto points = stages.landmarker->find(photo, box);
        cv::Mat aligned;
        cv::warpAffine(photo, aligned, stages.aligner->align(points).toTemplate, stages.aligner->size());
        benchmark::DoNotOptimize(stages.embedder->embed(aligned).norm);
    }
}

void analyse(benchmark::State& state, const char* name, vision::Purpose purpose) {
    const auto bytes = file(name);
    vision::Options options;
    options.purpose = purpose;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(fixture().pipeline->analyse(bytes, options).has_value());
}

void load(benchmark::State& state) {
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(vision::ModelPack::load(*test::modelPack("fp-mfn512"))->dim());
}

void registerAll() {
    using benchmark::RegisterBenchmark;
    for (const char* name : {"jesper_2.jpg", "qt-logo.jpg"}) {
        const std::string photo = std::string("/") + name;
        const auto add = [&](const char* what, auto function) {
            RegisterBenchmark((what + photo).c_str(), function)->Unit(benchmark::kMillisecond);
        };
        add("decode", [name](benchmark::State& state) { decode(state, name); });
        add("detect", [name](benchmark::State& state) { detect(state, name); });
        add("landmarks", [name](benchmark::State& state) { landmarks(state, name); });
        add("embed", [name](benchmark::State& state) { embed(state, name); });
        add("bare", [name](benchmark::State& state) { bare(state, name); });
        add("search", [name](benchmark::State& state) { analyse(state, name, vision::Purpose::Search); });
        add("extract", [name](benchmark::State& state) { analyse(state, name, vision::Purpose::Extract); });
    }
    // The slow paths: nothing to see, and a photo on its side.
    for (const char* name : {"snow.jpg", "wayne.jpg"})
        RegisterBenchmark((std::string("search/") + name).c_str(), [name](benchmark::State& state) {
            analyse(state, name, vision::Purpose::Search);
        })->Unit(benchmark::kMillisecond);
    RegisterBenchmark("load_pack", &load)->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv) {
    if (!test::modelPack("fp-mfn512") || !test::photo("jesper_2.jpg")) {
        std::fprintf(stderr, "%s\n", test::howToFetch().c_str());
        return 1;
    }
    benchmark::Initialize(&argc, argv);
    registerAll();
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
