#include "server/vision/face_pipeline.h"
#include "server/vision/model_pack.h"
#include "tests/support/photos.h"

#include <QTemporaryDir>
#include <QtTest>

#include <openssl/evp.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

using namespace fremis;
namespace fs = std::filesystem;
using vision::ModelPack;

namespace {

std::string readText(const fs::path& file) {
    const auto bytes = test::readBytes(file);
    return {bytes.begin(), bytes.end()};
}

void writeText(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    return at == std::string::npos ? std::string("nothing to replace") : text.replace(at, from.size(), to);
}

std::string sha256(const std::string& bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr);
    return QByteArray(reinterpret_cast<const char*>(digest), static_cast<int>(length)).toHex().toStdString();
}

// The little of protocol buffers that a model of a few bytes needs.
std::string varint(std::uint64_t value) {
    std::string out;
    for (; value > 0x7F; value >>= 7)
        out += static_cast<char>((value & 0x7F) | 0x80);
    return out + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
    return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string chunk(int field, const std::string& data) {
    return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(data.size()) + data;
}
std::string tensor(const std::string& name, std::initializer_list<int> shape, float value) {
    std::string dims;
    std::size_t count = 1;
    for (const int side : shape) {
        dims += number(1, static_cast<std::uint64_t>(side));
        count *= static_cast<std::size_t>(side);
    }
    std::string raw;
    for (std::size_t i = 0; i < count; ++i)
        raw.append(reinterpret_cast<const char*>(&value), sizeof value);
    return dims + number(2, 1) + chunk(8, name) + chunk(9, raw);
}
std::string valueInfo(const std::string& name, std::initializer_list<int> shape) {
    std::string dims;
    for (const int side : shape)
        dims += chunk(1, number(1, static_cast<std::uint64_t>(side)));
    return chunk(1, name) + chunk(2, chunk(1, number(1, 1) + chunk(2, dims)));
}
std::string node(const std::string& type, std::initializer_list<const char*> inputs, const std::string& output,
                 const std::string& attribute = {}) {
    std::string out;
    for (const char* input : inputs)
        out += chunk(1, input);
    out += chunk(2, output) + chunk(3, output) + chunk(4, type);
    return attribute.empty() ? out : out + chunk(5, attribute);
}

/// An ONNX file of a net that turns every 112 × 112 picture into `dim` times the same value.
std::string constantEmbedder(int dim, float value) {
    const std::string transposed = chunk(1, "transB") + number(3, 1) + number(20, 2);
    const std::string graph =
        chunk(1, node("GlobalAveragePool", {"input"}, "mean")) + chunk(1, node("Flatten", {"mean"}, "flat")) +
        chunk(1, node("Gemm", {"flat", "w", "b"}, "output", transposed)) + chunk(2, "constant") +
        chunk(5, tensor("w", {dim, 3}, 0)) + chunk(5, tensor("b", {dim}, value)) +
        chunk(11, valueInfo("input", {1, 3, 112, 112})) + chunk(12, valueInfo("output", {1, dim}));
    return number(1, 6) + chunk(7, graph) + chunk(8, number(2, 9));
}

} // namespace

class ModelPackTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    fs::path m_pack;
    std::string m_yaml;

    /// pack.yaml with one replacement; the message of the error, or "loaded".
    QString loadedWith(const std::string& from, const std::string& to) {
        writeText(m_pack / "pack.yaml", replaced(m_yaml, from, to));
        return loaded();
    }
    QString loaded() {
        const auto pack = ModelPack::load(m_pack);
        if (pack)
            return QStringLiteral("loaded");
        return pack.error().reason == base::Reason::BadModelPack ? QString::fromStdString(pack.error().message)
                                                                 : QStringLiteral("another reason");
    }
    /// Another embedder in the pack, with its right sum.
    void putEmbedder(const std::string& bytes) {
        writeText(m_pack / "fr_feature.onnx", bytes);
        writeText(m_pack / "pack.yaml",
                  replaced(m_yaml, "87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581", sha256(bytes)));
    }

private Q_SLOTS:
    void initTestCase() { FREMIS_NEEDS_FETCHED_DATA(test::modelPack("fp-mfn512") && test::photo("jesper.jpg")); }

    void init() {
        m_pack = fs::path(m_folder.path().toStdString()) / "pack";
        fs::remove_all(m_pack);
        fs::copy(*test::modelPack("fp-mfn512"), m_pack);
        m_yaml = readText(m_pack / "pack.yaml");
    }

    void theDefaultPackSaysWhatItIs() {
        const auto pack = ModelPack::load(m_pack);
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message.c_str());
        QCOMPARE(pack->id(), std::string("fp-mfn512"));
        QCOMPARE(pack->space(), std::string("fp-mfn512-bgr-1"));
        QCOMPARE(pack->dim(), 512);
        QCOMPARE(pack->thresholds().identify, 0.45);
        const auto attributes = pack->attributes();
        QVERIFY(attributes.liveness && attributes.gender && attributes.age && attributes.eyes);
    }

    void similarityIsCalibrated() {
        const auto pack = ModelPack::load(m_pack);
        QVERIFY(pack.has_value());
        const auto close = [&](double cosine, double similarity) {
            return std::abs(pack->similarity(cosine) - similarity) < 0.0005;
        };
        QVERIFY(close(0.30, .231) && close(0.35, .354) && close(0.40, .500) && close(0.45, .646) && close(0.50, .769));
        QVERIFY(close(0.4706, .7) && close(0.5155, .8) && close(0.5831, .9) && close(1, .9993));
        for (double cosine = -1; cosine < 1; cosine += 0.01)
            QVERIFY(pack->similarity(cosine) < pack->similarity(cosine + 0.01));
    }

    void aChangedFileIsNamed() {
        std::string bytes = readText(m_pack / "fr_age.onnx");
        bytes[1000] = static_cast<char>(bytes[1000] ^ 1);
        writeText(m_pack / "fr_age.onnx", bytes);
        const QString problem = loaded();
        QVERIFY2(problem.contains(QStringLiteral("fr_age.onnx: is not the file pack.yaml names")), qPrintable(problem));
    }

    void aMissingFileIsNamed_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"pack.yaml", "fr_detect.onnx", "fr_feature.onnx", "fr_eye.onnx"})
            QTest::newRow(file) << QString::fromUtf8(file);
    }
    void aMissingFileIsNamed() {
        QFETCH(QString, file);
        fs::remove(m_pack / file.toStdString());
        const QString problem = loaded();
        QVERIFY2(problem.contains(file), qPrintable(problem));
    }

    void anotherDimensionIsNamed() {
        QCOMPARE(loadedWith("dim: 512", "dim: 256"),
                 QStringLiteral("fr_feature.onnx: gives 512 numbers, pack.yaml says 256"));
    }

    void aFileThatIsNoNetworkIsNamed() {
        putEmbedder("this is no network");
        QCOMPARE(loaded(), QStringLiteral("fr_feature.onnx: not a network that OpenCV can read"));
    }

    void aNetworkOfAnotherShapeIsNamed() {
        putEmbedder(readText(m_pack / "fr_landmark.onnx"));
        QVERIFY(loaded().startsWith(QStringLiteral("fr_feature.onnx: ")));
    }

    void unknownTypesAreNamed_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* from, const char* to, const char* problem) {
            QTest::newRow(to) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(problem);
        };
        row("type: ultraface", "type: retina", "fr_detect.onnx: unknown detector type 'retina'");
        row("type: points68", "type: points5", "fr_landmark.onnx: unknown landmarks type 'points5'");
        row("type: similarity5", "type: affine3", "pack.yaml: unknown align type 'affine3'");
        row("type: net", "type: table", "fr_feature.onnx: unknown embedder type 'table'");
        row("type: eye2", "type: mood7", "fr_eye.onnx: unknown attribute type 'mood7'");
    }
    void unknownTypesAreNamed() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, problem);
        QCOMPARE(loadedWith(from.toStdString(), to.toStdString()), problem);
    }

    void aFileReplacedAfterLoadingHasNoEffect() {
        const auto pack = ModelPack::load(m_pack);
        QVERIFY(pack.has_value());
        writeText(m_pack / "fr_feature.onnx", "replaced");
        const auto pipeline = vision::FacePipeline::create(*pack);
        QVERIFY(pipeline.has_value());
        QVERIFY((*pipeline)->analyse(test::readBytes(*test::photo("jesper.jpg")), {}).has_value());
    }

    void aModelThatFailsGivesNoEmbedding_data() {
        QTest::addColumn<float>("value");
        QTest::newRow("zero") << 0.0F;
        QTest::newRow("not a number") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
    }
    void aModelThatFailsGivesNoEmbedding() {
        QFETCH(float, value);
        putEmbedder(constantEmbedder(512, value));
        const auto pack = ModelPack::load(m_pack);
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message.c_str());
        const auto pipeline = vision::FacePipeline::create(*pack);
        QVERIFY(pipeline.has_value());
        for (const auto purpose :
             {vision::Purpose::Enrol, vision::Purpose::Search, vision::Purpose::Match, vision::Purpose::Extract}) {
            vision::Options options;
            options.purpose = purpose;
            const auto analysis = (*pipeline)->analyse(test::readBytes(*test::photo("jesper.jpg")), options);
            QVERIFY(!analysis);
            QCOMPARE(analysis.error().reason, base::Reason::EmbeddingInvalid);
        }
    }
};

QTEST_GUILESS_MAIN(ModelPackTest)
#include "model_pack_test.moc"
