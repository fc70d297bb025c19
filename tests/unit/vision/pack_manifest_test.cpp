#include "server/vision/pack_manifest.h"

#include <QtTest>

#include <fstream>
#include <iterator>

using namespace fremis;

namespace {

std::string shipped(const std::string& id) {
    std::ifstream stream(std::string(FREMIS_PACK_MANIFESTS) + "/" + id + "/pack.yaml");
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

QString problemOf(const std::string& yaml) {
    const auto manifest = vision::parseManifest(yaml, "pack.yaml");
    if (manifest)
        return QStringLiteral("none");
    return manifest.error().reason == base::Reason::BadModelPack ? QString::fromStdString(manifest.error().message)
                                                                 : QStringLiteral("another reason");
}

} // namespace

class PackManifestTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDefaultPackIsRead() {
        const auto manifest = vision::parseManifest(shipped("fp-mfn512"), "pack.yaml");
        QVERIFY2(manifest.has_value(), manifest ? "" : manifest.error().message.c_str());
        QCOMPARE(manifest->id, std::string("fp-mfn512"));
        QCOMPARE(manifest->space, std::string("fp-mfn512-bgr-1"));
        QCOMPARE(manifest->embedder.dim, 512);
        QVERIFY(!manifest->embedder.input.rgb);
        QVERIFY(manifest->detector.input.rgb);
        QCOMPARE(manifest->detector.input.width, 320);
        QCOMPARE(manifest->detector.input.height, 240);
        QCOMPARE(manifest->detector.score, 0.75F);
        QCOMPARE(manifest->attributes.size(), 4U);
        QCOMPARE(manifest->files().size(), 7U);
        QCOMPARE(manifest->thresholds.verify, 0.40);
        QCOMPARE(manifest->quality.enrolFace, 56);
        QCOMPARE(manifest->quality.searchNorm, 2.6);
    }

    void theSecondPackHasOtherMeasures() {
        const auto manifest = vision::parseManifest(shipped("dlib128"), "pack.yaml");
        QVERIFY2(manifest.has_value(), manifest ? "" : manifest.error().message.c_str());
        QCOMPARE(manifest->embedder.dim, 128);
        QVERIFY(manifest->embedder.input.rgb);
        QCOMPARE(manifest->embedder.input.mean[2], 104.298);
        QCOMPARE(manifest->display.slope, 120.0);
        QCOMPARE(manifest->quality.enrolNorm, 0.0); // no key: no gate
        QVERIFY(manifest->attributes.empty());
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const char* from, const char* to, const char* problem) {
            QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(problem);
        };
        row("unknown key", "min_face: 32", "minface: 32", "quality.minface: unknown key");
        row("unknown section", "licence: MIT", "licence: MIT\nmore: 1", "more: unknown key");
        row("missing key", "id: fp-mfn512\n", "", "id: missing");
        row("empty text", "id: fp-mfn512\n", "id: ''\n", "id: must not be empty");
        row("text for a number", "dim: 512", "dim: many", "embedder.dim: a number is expected");
        row("fraction for a whole number", "dim: 512", "dim: 51.2", "embedder.dim: a whole number is expected");
        row("not a number", "enrol_norm: 3.0", "enrol_norm: .nan", "quality.enrol_norm: out of range");
        row("threshold above one", "verify: 0.40", "verify: 1.5", "thresholds.verify: out of range");
        row("file in another folder", "file: fr_feature.onnx", "file: ../fr_feature.onnx",
            "embedder.file: a plain file name is expected");
        row("short sum", "87aacdfe57510db2af90", "87", "embedder.sha256: 64 lower-case hex digits are expected");
        row("unknown order", "order: bgr", "order: gbr", "embedder.order: unknown value 'gbr'");
        row("unknown metric", "metric: cosine", "metric: euclid", "embedder.metric: unknown value 'euclid'");
        row("two means", "dim: 512\n  order: bgr\n  mean: 127", "dim: 512\n  order: bgr\n  mean: [1, 2]",
            "embedder.mean: three numbers are expected");
        row("size of one number", "size: [320, 240]", "size: [320]", "detector.size: [width, height] is expected");
        row("list for a section", "align: {type: similarity5, template: arcface112}", "align: []",
            "align: a mapping is expected");
        row("map for the attributes", "attributes:\n", "attributes: {}\nold:\n", "attributes: a list is expected");
    }
    void mistakesAreNamed() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, problem);
        const QString whole = QString::fromStdString(shipped("fp-mfn512"));
        QVERIFY(whole.contains(from));
        QCOMPARE(problemOf(QString(whole).replace(from, to).toStdString()), QStringLiteral("pack.yaml: ") + problem);
    }

    void whatIsNoMappingIsRefused() {
        QCOMPARE(problemOf(""), QStringLiteral("pack.yaml: the file: a mapping is expected"));
        QCOMPARE(problemOf("- 1"), QStringLiteral("pack.yaml: the file: a mapping is expected"));
        QVERIFY(problemOf("id: [").startsWith(QStringLiteral("pack.yaml: ")));
    }
};

QTEST_GUILESS_MAIN(PackManifestTest)
#include "pack_manifest_test.moc"
