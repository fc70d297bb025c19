// What a request costs beside the model: recognition over HTTP against the bare pipeline on the same photo, and the
// server's CPU time for a megabyte of base64. Prints Markdown. Usage: request_bench [rounds]
#include "server/vision/face_pipeline.h"
#include "shared/wire/base64.h"
#include "tests/bench/measure.h"
#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"

#include <QCoreApplication>

#include <cstdio>
#include <string>
#include <vector>

using namespace fremis;
using namespace fremis::bench;

namespace {

int complain(const std::string& what) {
    std::fprintf(stderr, "request_bench: %s\n", what.c_str());
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
    const auto folder = test::modelPack("fp-mfn512");
    const auto file = test::photo("jesper.jpg");
    if (!folder || !file)
        return complain(test::howToFetch());
    const auto pack = vision::ModelPack::load(*folder);
    auto pipeline = pack ? vision::FacePipeline::create(*pack) : tl::unexpected(pack.error());
    if (!pipeline)
        return complain(pipeline.error().message);
    test::AppOptions options;
    options.arguments = {"--max-workers", "1"};
    auto app = test::AppProcess::startReady(options);
    if (!app)
        return complain(app.error().detail);

    const auto bytes = test::readBytes(*file);
    const std::string image = wire::encodeBase64(bytes);
    const std::string body = R"({"keyspace":"default","image":")" + image + R"("})";
    test::HttpClient client("127.0.0.1", (*app)->port());
    const auto recognise = [&] {
        return client.send("POST", "/v1/face/recognition", body, {{"Content-Type", "application/json"}});
    };
    if (const auto enrolled = client.send("POST", "/v1/face/enrollment", body, {{"Content-Type", "application/json"}});
        !enrolled || enrolled->status != 200)
        return complain("enrolment failed");

    std::vector<double> bare, whole;
    for (int round = 0; round < rounds; ++round) {
        bare.push_back(
            millisecondsOf([&] { (void)(*pipeline)->analyse(bytes, {.purpose = vision::Purpose::Search}); }));
        whole.push_back(millisecondsOf([&] { (void)recognise(); }));
    }

    // A megabyte that ends at the check of its first bytes: all that the server does is read, parse and decode.
    const std::string text(1'048'576 * 3 / 4, 'x');
    const std::string large = R"({"keyspace":"default","image":")" +
                              wire::encodeBase64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) +
                              R"("})";
    const auto post = [&] {
        return client.send("POST", "/v1/face/enrollment", large, {{"Content-Type", "application/json"}});
    };
    for (int i = 0; i < 10; ++i)
        (void)post();
    const double before = cpuMilliseconds((*app)->pid());
    for (int round = 0; round < rounds; ++round)
        (void)post();
    const double perPost = (cpuMilliseconds((*app)->pid()) - before) / rounds;

    std::printf("| what | median | ratio |\n|---|---|---|\n");
    std::printf("| bare pipeline, one photo, one thread | %.2f ms | 1 |\n", median(bare));
    std::printf("| recognition request over HTTP, the same photo | %.2f ms | %.2f |\n", median(whole),
                median(whole) / median(bare));
    std::printf("| 1 MB base64 JSON post to image bytes, server CPU | %.2f ms | |\n", perPost);
    return 0;
}
