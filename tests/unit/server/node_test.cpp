#include "shared/storage/id_generator.h"
#include "server/engine/node.h"
#include "server/engine/removal.h"
#include "shared/hashing/partition.h"
#include "shared/storage/sqlite/sqlite_store.h"
#include "tests/support/gated_store.h"

#include <QTemporaryDir>
#include <QtTest>

#include <future>

using namespace fremis;
using engine::NodeState;

namespace {

constexpr int kDimension = 4;
const storage::EnrollmentStore::Space kSpace{"test-space", kDimension};

/// A node over a real SQLite store in a folder of its own.
class Fixture {
public:
    Fixture() { openNode(true); }

    void openNode(bool start) {
        node.reset();
        auto opened = storage::openSqlite({.directory = directory.path().toStdString(), .vfs = {}, .clock = nullptr});
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        auto gated = std::make_unique<test::GatedStore>(std::move(*opened));
        store = gated.get();
        engine::Node::Options options;
        options.space = kSpace;
        options.index.dimension = kDimension;
        node = std::move(*engine::Node::create(std::move(gated), options, clock,
                                               [this](int code, const base::Error&) { fatal = code; }));
        if (start)
            node->start();
    }
    [[nodiscard]] NodeState state() const { return node->status().state; }

    [[nodiscard]] storage::Operation addition(const std::string& face) {
        const auto keyspace = node->keyspace(base::KeyspaceName::trusted("default"));
        return storage::AddVariation{{keyspace->incarnation,
                                      base::FaceId::trusted(face),
                                      storage::randomVariation(),
                                      hashing::partitionOf("default", face),
                                      *node->nextVersion(),
                                      kSpace.name,
                                      {1, 0, 0, 0},
                                      4.0,
                                      clock.sinceEpoch()},
                                     storage::randomOpId()};
    }
    base::Result<storage::Outcome> write(storage::Operation operation) {
        auto promise = std::make_shared<std::promise<base::Result<storage::Outcome>>>();
        auto future = promise->get_future();
        const auto taken =
            node->write(std::move(operation), [promise](const auto& outcome) { promise->set_value(outcome); });
        return taken ? future.get() : tl::unexpected(taken.error());
    }
    engine::FacesRemoved remove(const std::vector<std::string>& faces) {
        wire::DeleteEnrollment request{base::KeyspaceName::trusted("default"), {}};
        for (const auto& face : faces)
            request.faceIds.push_back(base::FaceId::trusted(face));
        engine::Removal removal(*node);
        std::promise<engine::FacesRemoved> promise;
        removal.removeFaces(std::move(request), {}, [&](base::Result<engine::FacesRemoved> removed) {
            promise.set_value(std::move(*removed));
        });
        return promise.get_future().get();
    }
    [[nodiscard]] std::vector<std::string> found() const {
        const auto keyspace = node->keyspace(base::KeyspaceName::trusted("default"));
        const std::vector<float> probe{1, 0, 0, 0};
        const auto answer =
            node->index().snapshot()->search({keyspace->incarnation, probe, 1000, hashing::PartitionSet::all()});
        std::vector<std::string> faces;
        for (const auto& hit : answer->hits.front())
            faces.push_back(hit.face);
        return faces;
    }

    const base::SystemClock clock;
    QTemporaryDir directory;
    test::GatedStore* store = nullptr;
    std::atomic<int> fatal = 0;
    std::unique_ptr<engine::Node> node; ///< last: it goes first
};

using Faces = std::vector<std::string>;

} // namespace

class NodeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWriteIsFoundWhenItIsAnswered() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QVERIFY(fixture.write(fixture.addition("anna")).has_value());
        QCOMPARE(fixture.found(), Faces{"anna"});
        QCOMPARE(fixture.remove({"anna", "nobody"}).deleted.size(), 1u);
        QCOMPARE(fixture.found(), Faces{});
    }

    void aRestartFindsWhatWasStored() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QVERIFY(fixture.write(fixture.addition("anna")).has_value());
        QVERIFY(fixture.write(fixture.addition("bert")).has_value());
        QCOMPARE(fixture.remove({"anna"}).deleted.size(), 1u);
        fixture.openNode(true);
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QCOMPARE(fixture.found(), Faces{"bert"});
    }

    void writesDuringTheLoadAreInTheIndexWhenItIsActive() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        for (const char* face : {"anna", "bert", "carl"})
            QVERIFY(fixture.write(fixture.addition(face)).has_value());
        fixture.openNode(false);
        fixture.store->closeGate();
        fixture.node->start();
        QTRY_VERIFY(fixture.store->scanWaits());
        QCOMPARE(fixture.state(), NodeState::Loading);
        QCOMPARE(fixture.node->searchable().error().reason, base::Reason::NotReady);
        // The scan has already read all three: it must not bring back what is deleted now, nor lose what is added.
        QCOMPARE(fixture.remove({"bert"}).deleted.size(), 1u);
        QVERIFY(fixture.write(fixture.addition("dora")).has_value());
        QCOMPARE(fixture.remove({"carl"}).deleted.size(), 1u);
        QVERIFY(fixture.write(fixture.addition("carl")).has_value());
        fixture.store->openGate();
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QCOMPARE(fixture.found(), (Faces{"anna", "carl", "dora"}));
        QCOMPARE(fixture.node->index().counts().vectors, 3u);
    }

    void afterAnUnknownOutcomeTheIndexFollowsTheStore() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        fixture.store->loseNextAnswer();
        const auto unknown = fixture.write(fixture.addition("anna"));
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().reason, base::Reason::OutcomeUnknown);
        // It was done, so it has to be found in the end; nobody has to ask for it.
        QTRY_COMPARE(fixture.node->fillings(), 2u);
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QCOMPARE(fixture.found(), Faces{"anna"});
    }

    void aStoreThatIsAwayIsToldAndSearchesGoOn() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QVERIFY(fixture.write(fixture.addition("anna")).has_value());
        fixture.store->setAway(true);
        QTRY_COMPARE(fixture.state(), NodeState::Down);
        QVERIFY(fixture.node->status().why.find("storage") != std::string::npos);
        QVERIFY(fixture.node->searchable().has_value());
        QCOMPARE(fixture.write(fixture.addition("bert")).error().reason, base::Reason::NotReady);
        fixture.store->setAway(false);
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QVERIFY(fixture.write(fixture.addition("bert")).has_value());
        QCOMPARE(fixture.found(), (Faces{"anna", "bert"}));
        QCOMPARE(fixture.fatal.load(), 0);
    }

    void manyDeletesInOneRequestAreAllDone() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        Faces faces;
        for (int i = 0; i < 2'000; ++i)
            faces.push_back("face-" + std::to_string(i));
        for (std::size_t i = 0; i < faces.size(); i += 100)
            QVERIFY(fixture.write(fixture.addition(faces[i])).has_value());
        const auto removed = fixture.remove(faces);
        QCOMPARE(removed.deleted.size(), 20u);
        QVERIFY(removed.failed.empty());
        QVERIFY(!removed.error);
        QCOMPARE(fixture.found(), Faces{});
    }

    void aStoreOfAnotherSpaceEndsTheProcess() {
        Fixture fixture;
        QTRY_COMPARE(fixture.state(), NodeState::Active);
        QVERIFY(fixture.write(fixture.addition("anna")).has_value());
        fixture.node.reset();
        auto opened =
            storage::openSqlite({.directory = fixture.directory.path().toStdString(), .vfs = {}, .clock = nullptr});
        QVERIFY(opened.has_value());
        engine::Node::Options options;
        options.space = {"other-space", kDimension};
        options.index.dimension = kDimension;
        std::atomic<int> exitCode = 0;
        auto other = engine::Node::create(std::move(*opened), options, fixture.clock,
                                          [&](int code, const base::Error&) { exitCode = code; });
        (*other)->start();
        QTRY_COMPARE(exitCode.load(), 78);
    }
};

QTEST_GUILESS_MAIN(NodeTest)
#include "node_test.moc"
