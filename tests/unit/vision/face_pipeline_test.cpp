#include "tests/unit/vision/photo_faces.h"

#include <opencv2/imgproc.hpp>

#include <map>
#include <optional>
#include <thread>

using namespace fremis;
using vision::Analysis;
using vision::Face;
using vision::FacePipeline;
using vision::ModelPack;

namespace {

struct Person {
    const char* name; ///< J, A, W and M appear in several photos
    cv::Point corner; ///< of the box, in the upright photo
};

struct Photo {
    const char* file;
    int turned; ///< degrees clockwise that make it upright
    std::vector<Person> people;
};

/// What is known of Debian's kphotoalbum demo photos. bar55 has five more faces in the background.
const std::vector<Photo> kPhotos = {
    {"jesper.jpg", 0, {{"J", {173, 27}}}},
    {"jesper_2.jpg", 0, {{"J", {257, 78}}}},
    {"bar55.jpg", 0, {{"A", {259, 218}}, {"J", {352, 143}}}},
    {"bar55_2.jpg", 0, {{"A", {258, 110}}, {"J", {381, 95}}}},
    {"qt-logo.jpg", 0, {{"W", {151, 70}}, {"J", {347, 67}}, {"M", {567, 18}}}},
    {"anne_helene.jpg", 0, {{"A", {148, 138}}}},
    {"cold_water.jpg", 0, {{"J", {443, 180}}}},
    {"new_wave_2.jpg", 0, {{"J", {288, 123}}}},
    {"grand_canyon_2.jpg", 0, {{"J", {348, 240}}}},
    {"wayne.jpg", 90, {{"W", {170, 264}}, {"M", {482, 284}}}},
    {"grand_canyon_1.jpg", 180, {{"J", {133, 108}}, {"A", {333, 173}}}},
    {"new_wave_1.jpg", 90, {{"J", {336, 176}}}},
    {"pool_2.jpg", 270, {{"J", {229, 65}}}},
};

const Photo& photoNamed(const std::string& file) {
    return *std::find_if(kPhotos.begin(), kPhotos.end(), [&](const Photo& photo) { return file == photo.file; });
}

class Album {
public:
    explicit Album(const ModelPack& pack) : m_pipeline(std::move(*FacePipeline::create(pack))) {}

    FacePipeline& pipeline() { return *m_pipeline; }

    const Analysis& faces(const std::string& file) {
        auto known = m_faces.find(file);
        if (known == m_faces.end()) {
            auto analysis = m_pipeline->analyse(test::readBytes(*test::photo(file)), test::everyFace());
            known = m_faces.emplace(file, analysis ? std::move(*analysis) : Analysis{}).first;
            m_sizes[file] = test::photoPixels(file).size();
        }
        return known->second;
    }

    /// The face of a person of the table, or nothing when no box is within six pixels.
    const Face* face(const std::string& file, const std::string& person) {
        const Analysis& analysis = faces(file);
        const cv::Size size = m_sizes.at(file);
        for (const Person& known : photoNamed(file).people) {
            for (const Face& face : analysis.faces) {
                const cv::Point offset = test::uprightCorner(face, analysis.turned, size) - known.corner;
                if (person == known.name && std::abs(offset.x) <= 6 && std::abs(offset.y) <= 6)
                    return &face;
            }
        }
        return nullptr;
    }

    double cosine(const char* firstFile, const char* secondFile, const char* person) {
        const Face* first = face(firstFile, person);
        const Face* second = face(secondFile, person);
        return first != nullptr && second != nullptr ? test::cosine(first->embedding, second->embedding) : -2;
    }

private:
    std::unique_ptr<FacePipeline> m_pipeline;
    std::map<std::string, Analysis> m_faces;
    std::map<std::string, cv::Size> m_sizes;
};

struct SamePerson {
    const char* first;
    const char* second;
    const char* person;
    double cosine;
};

/// Cosines of fp-mfn512.
const std::vector<SamePerson> kSamePerson = {
    {"bar55.jpg", "bar55_2.jpg", "A", 0.935},       {"bar55.jpg", "bar55_2.jpg", "J", 0.857},
    {"qt-logo.jpg", "bar55_2.jpg", "J", 0.760},     {"qt-logo.jpg", "wayne.jpg", "W", 0.722},
    {"jesper.jpg", "bar55_2.jpg", "J", 0.657},      {"jesper_2.jpg", "bar55_2.jpg", "J", 0.620},
    {"pool_2.jpg", "bar55_2.jpg", "J", 0.549},      {"grand_canyon_1.jpg", "bar55_2.jpg", "J", 0.505},
    {"anne_helene.jpg", "bar55_2.jpg", "A", 0.634}, {"new_wave_1.jpg", "new_wave_2.jpg", "J", 0.627},
    {"jesper_2.jpg", "new_wave_2.jpg", "J", 0.453}, {"bar55_2.jpg", "new_wave_2.jpg", "J", 0.372},
};

const std::vector<const char*> kClearPhotos = {"jesper.jpg", "jesper_2.jpg", "bar55.jpg", "bar55_2.jpg", "qt-logo.jpg"};

/// The highest cosine of two different people among the clear photos.
double closestStrangers(Album& album) {
    std::vector<std::pair<std::string, const Face*>> all;
    for (const char* file : kClearPhotos)
        for (const Person& person : photoNamed(file).people)
            all.emplace_back(person.name, album.face(file, person.name));
    double highest = -1;
    for (const auto& [firstName, first] : all)
        for (const auto& [secondName, second] : all)
            if (firstName != secondName)
                highest = std::max(highest, first && second ? test::cosine(first->embedding, second->embedding) : 2);
    return highest;
}

} // namespace

class FacePipelineTest : public QObject {
    Q_OBJECT

    std::optional<ModelPack> m_pack;
    std::unique_ptr<Album> m_album;

private Q_SLOTS:
    void initTestCase() {
        FREMIS_NEEDS_FETCHED_DATA(test::fetched());
        auto pack = ModelPack::load(*test::modelPack("fp-mfn512"));
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message.c_str());
        m_pack = std::move(*pack);
        m_album = std::make_unique<Album>(*m_pack);
    }

    void facesAreFoundWhereTheyAre_data() {
        QTest::addColumn<QString>("file");
        for (const Photo& photo : kPhotos)
            QTest::newRow(photo.file) << QString::fromUtf8(photo.file);
    }
    void facesAreFoundWhereTheyAre() {
        QFETCH(QString, file);
        const Photo& photo = photoNamed(file.toStdString());
        const Analysis& analysis = m_album->faces(photo.file);
        QCOMPARE(analysis.turned, photo.turned);
        const cv::Mat pixels = test::photoPixels(photo.file);
        for (const Person& person : photo.people)
            QVERIFY2(m_album->face(photo.file, person.name) != nullptr, person.name);
        for (const Face& face : analysis.faces) {
            QVERIFY(face.left >= 0 && face.top >= 0 && face.left + face.width <= pixels.cols &&
                    face.top + face.height <= pixels.rows);
            QVERIFY(face.score >= 0.75F && face.score <= 1);
        }
        for (std::size_t i = 1; i < analysis.faces.size(); ++i)
            QCOMPARE_GE(analysis.faces[i - 1].width * analysis.faces[i - 1].height + 400,
                        analysis.faces[i].width * analysis.faces[i].height);
    }

    void bystandersAreListedToo() {
        QCOMPARE(m_album->faces("bar55.jpg").faces.size(), 7U);
        QCOMPARE(m_album->faces("qt-logo.jpg").faces.size(), 3U);
    }

    void embeddingsHaveUnitLength() {
        for (const char* file : kClearPhotos) {
            for (const Face& face : m_album->faces(file).faces) {
                QCOMPARE(face.embedding.size(), 512U);
                QVERIFY(std::abs(test::cosine(face.embedding, face.embedding) - 1) < 1e-5);
                QVERIFY(face.norm.has_value() && *face.norm > 1 && face.used);
            }
        }
    }

    void samePersonIsAsSimilarAsMeasured_data() {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < kSamePerson.size(); ++i)
            QTest::addRow("%s %s %s", kSamePerson[i].person, kSamePerson[i].first, kSamePerson[i].second)
                << static_cast<int>(i);
    }
    void samePersonIsAsSimilarAsMeasured() {
        QFETCH(int, row);
        const SamePerson& pair = kSamePerson[static_cast<std::size_t>(row)];
        const double cosine = m_album->cosine(pair.first, pair.second, pair.person);
        QVERIFY2(std::abs(cosine - pair.cosine) <= 0.04, std::to_string(cosine).c_str());
    }

    void differentPeopleStayApart() { QCOMPARE_LT(closestStrangers(*m_album), 0.20); }

    void photosOnTheirSideAreTurned_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("turn");
        // Not jesper.jpg: lying on its left it still gives a face of norm 2.73, above the gate that starts the search.
        for (const char* file : {"jesper_2.jpg", "bar55_2.jpg", "qt-logo.jpg", "anne_helene.jpg"})
            for (const int turn : {90, 180, 270})
                QTest::addRow("%s turned by %d", file, turn) << QString::fromUtf8(file) << turn;
    }
    void photosOnTheirSideAreTurned() {
        QFETCH(QString, file);
        QFETCH(int, turn);
        const cv::Mat upright = test::photoPixels(file.toStdString());
        cv::Mat lying;
        cv::rotate(upright, lying, turn / 90 - 1);
        const auto analysis = m_album->pipeline().analyse(test::toPng(test::toPicture(lying)), test::everyFace());
        QCOMPARE(test::tokenOf(analysis), QStringLiteral("found"));
        QCOMPARE(analysis->turned, 360 - turn);
        const Analysis& expected = m_album->faces(file.toStdString());
        const Face& face = analysis->faces.front();
        const cv::Point corner = test::uprightCorner(face, analysis->turned, lying.size());
        const cv::Point offset = corner - cv::Point(expected.faces.front().left, expected.faces.front().top);
        QVERIFY(std::abs(offset.x) <= 6 && std::abs(offset.y) <= 6);
        QCOMPARE_GE(test::cosine(face.embedding, expected.faces.front().embedding), 0.95);
    }

    void photosWithoutFacesHaveNone_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"blackie", "donna", "donna_2", "skagen", "snow", "spiff", "spiff_2", "sunset"})
            QTest::newRow(file) << QString::fromUtf8(file) + QStringLiteral(".jpg");
    }
    void photosWithoutFacesHaveNone() {
        QFETCH(QString, file);
        const auto photo = test::readBytes(*test::photo(file.toStdString()));
        for (const auto purpose : {vision::Purpose::Enrol, vision::Purpose::Search, vision::Purpose::Match})
            QCOMPARE(test::tokenOf(m_album->pipeline().analyse(photo, test::purpose(purpose))),
                     QStringLiteral("no_face"));
        const auto extracted = m_album->pipeline().analyse(photo, test::purpose(vision::Purpose::Extract));
        QVERIFY(extracted && extracted->faces.empty() && extracted->used == -1);
    }

    void plainPicturesHaveNoFace() {
        cv::Mat noise(480, 640, CV_8UC3);
        cv::RNG random(7);
        random.fill(noise, cv::RNG::UNIFORM, 0, 256);
        for (const cv::Mat& picture :
             {cv::Mat(480, 640, CV_8UC3, cv::Scalar::all(0)), cv::Mat(16, 16, CV_8UC3, cv::Scalar::all(255)),
              cv::Mat(16, 3000, CV_8UC3, cv::Scalar(40, 80, 120)), noise}) {
            const auto file = test::toPng(test::toPicture(picture));
            QCOMPARE(test::tokenOf(m_album->pipeline().analyse(file, {})), QStringLiteral("no_face"));
        }
    }

    void pipelinesOnSeveralThreadsGiveTheSameBits() {
        constexpr std::size_t kThreads = 4;
        std::vector<std::unique_ptr<FacePipeline>> pipelines;
        for (std::size_t i = 0; i < kThreads; ++i)
            pipelines.push_back(std::move(*FacePipeline::create(*m_pack)));
        const auto photo = test::readBytes(*test::photo("qt-logo.jpg"));
        std::vector<Analysis> results(kThreads);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < kThreads; ++i) {
            threads.emplace_back([&, i] {
                for (int round = 0; round < 3; ++round)
                    if (auto analysis = pipelines[i]->analyse(photo, test::everyFace()))
                        results[i] = std::move(*analysis);
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        const Analysis& expected = m_album->faces("qt-logo.jpg");
        for (const Analysis& result : results) {
            QCOMPARE(result.faces.size(), expected.faces.size());
            for (std::size_t i = 0; i < expected.faces.size(); ++i)
                QVERIFY(result.faces[i].embedding == expected.faces[i].embedding);
        }
    }

    void theSecondPackWorksThroughTheSameCode() {
        auto pack = ModelPack::load(*test::modelPack("dlib128"));
        QVERIFY2(pack.has_value(), pack ? "" : pack.error().message.c_str());
        QCOMPARE(pack->dim(), 128);
        Album album(*pack);
        QCOMPARE(album.faces("jesper.jpg").faces.front().embedding.size(), 128U);
        for (const SamePerson& pair : kSamePerson) {
            if (std::string_view(pair.first) ==
                "new_wave_1.jpg") // a sure false face upright, and no norm gate that would see through it
                continue;
            const double cosine = album.cosine(pair.first, pair.second, pair.person);
            QVERIFY2(cosine > 0.88, (std::string(pair.first) + " " + std::to_string(cosine)).c_str());
            if (pair.cosine > 0.6) // what the default pack is sure of, this one verifies too
                QVERIFY2(cosine > pack->thresholds().verify,
                         (std::string(pair.first) + " " + std::to_string(cosine)).c_str());
        }
        QCOMPARE_LT(closestStrangers(album), pack->thresholds().verify);
        QVERIFY(pack->similarity(pack->thresholds().verify) >= 0.5);
    }
};

QTEST_GUILESS_MAIN(FacePipelineTest)
#include "face_pipeline_test.moc"
