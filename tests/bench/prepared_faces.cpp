#include "tests/bench/prepared_faces.h"

#include "shared/hashing/partition.h"
#include "shared/storage/operation_codec.h"
#include "shared/wire/internal.h"
#include "tests/support/http_client.h"

#include <QJsonArray>

#include <cmath>
#include <numeric>

namespace fremis::bench {

namespace plane = wire::internal;

namespace {

constexpr std::size_t kDimension = 512;
constexpr std::size_t kBatch = 512;

int internalPort(int workerPort) {
    test::HttpClient client("127.0.0.1", workerPort);
    const auto alive = client.get("/livez");
    return alive ? alive->json().value(QStringLiteral("internal_port")).toInt() : 0;
}

} // namespace

base::Result<PreparedFaces> PreparedFaces::of(int workerPort) {
    test::HttpClient client("127.0.0.1", workerPort);
    const auto keyspaces = client.get("/v1/face/keyspace");
    const auto vectors = client.get("/v1/loaded-vectors");
    if (!keyspaces || !vectors)
        return base::fail(base::Reason::NotReady, "the worker tells neither keyspaces nor space");
    for (const auto entry : keyspaces->json().value(QStringLiteral("keyspaces")).toArray())
        if (const auto keyspace = entry.toObject();
            keyspace.value(QStringLiteral("keyspace")) == QStringLiteral("default"))
            return PreparedFaces(keyspace.value(QStringLiteral("incarnation")).toString().toStdString(),
                                 vectors->json().value(QStringLiteral("space")).toString().toStdString());
    return base::fail(base::Reason::KeyspaceNotFound, "the worker has no default keyspace");
}

std::vector<float> PreparedFaces::embedding() {
    std::normal_distribution<float> normal;
    std::vector<float> values(kDimension);
    for (auto& value : values)
        value = normal(m_random);
    const float length = std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0F));
    for (auto& value : values)
        value /= length;
    return values;
}

storage::AddVariation PreparedFaces::next() {
    const auto number = ++m_last;
    const auto face = std::to_string(1'000'000'000'000ULL + number);
    const auto now = base::SystemClock().sinceEpoch();
    storage::AddVariation add{{m_incarnation,
                               base::FaceId::trusted(face),
                               base::Variation(number),
                               hashing::partitionOf(storage::kDefaultKeyspace, face),
                               {static_cast<std::uint64_t>(now.count()) << 16, number},
                               m_space,
                               embedding(),
                               20.0,
                               now},
                              {}};
    for (std::size_t i = 0; i < sizeof number; ++i)
        add.opId[i] = static_cast<std::uint8_t>(number >> (8 * i));
    add.opId.back() = 1; // all zero would mean: not remembered
    return add;
}

bool PreparedFaces::store(int workerPort, const std::vector<std::string>& records) {
    test::HttpClient client("127.0.0.1", internalPort(workerPort));
    for (std::size_t begin = 0; begin < records.size(); begin += kBatch) {
        const auto first = records.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = records.begin() + static_cast<std::ptrdiff_t>(std::min(begin + kBatch, records.size()));
        const auto answer =
            client.send("POST", plane::kApplyPath, plane::toJson(plane::ApplyRequest{"bench", {first, last}, false}),
                        {{"Content-Type", "application/json"}});
        const auto reply =
            answer && answer->status == 200 ? plane::readApply(answer->body) : tl::unexpected(base::Error());
        if (!reply)
            return false;
        for (const auto& outcome : reply->outcomes)
            if (!plane::isConfirmed(outcome.effect) && outcome.effect != plane::ApplyEffect::NotOwner)
                return false;
    }
    return true;
}

} // namespace fremis::bench
