#include "tests/system/chaos_clients.h"

#include <thread>

namespace fremis::test {

using namespace std::chrono_literals;

namespace {

const QString kKeyspace = QStringLiteral("default");

History::Outcome outcomeOf(const Answer& answer) {
    const bool notDone = !answer.sent || (answer.status >= 400 && answer.status < 500) ||
                         answer.error() == QStringLiteral("partition_unavailable") ||
                         answer.error() == QStringLiteral("not_enough_replicas");
    return answer.status == 200 ? History::Outcome::Done
           : notDone            ? History::Outcome::NotDone
                                : History::Outcome::Unknown;
}

} // namespace

History::Time chaosNow() {
    return std::chrono::duration_cast<History::Time>(std::chrono::steady_clock::now().time_since_epoch());
}

std::optional<Seen> searchFaces(FaceClient& client, const QJsonArray& embedding) {
    const auto answer =
        client.post("/v1/face/recognition",
                    {{QStringLiteral("embedding"), embedding},
                     {QStringLiteral("keyspace"), kKeyspace},
                     {QStringLiteral("additional_params"), QJsonObject{{QStringLiteral("candidateCount"), 1'000}}}});
    if (answer.status != 200)
        return std::nullopt;
    Seen seen;
    seen.stale = answer.body[QStringLiteral("coverage")].toObject()[QStringLiteral("stale")].toBool();
    for (const auto& candidate : answer.candidates())
        seen.faces.push_back(candidate.toObject()[QStringLiteral("face_id")].toString().toStdString());
    return seen;
}

ChaosClient::ChaosClient(const ChaosCluster& cluster, ChaosNotes& notes, ChaosFaces& faces, QString photo,
                         QJsonArray embedding, std::uint32_t seed)
    : m_notes(notes), m_faces(faces), m_photo(std::move(photo)), m_embedding(std::move(embedding)), m_chance(seed) {
    for (int door = 0; door < ChaosCluster::kDoors; ++door) {
        m_doors.push_back(std::make_unique<FaceClient>(cluster.doorPort(door)));
        m_doors.back()->http().setDeadline(12s);
        m_doors.back()->expectOutages();
    }
}

void ChaosClient::work(const std::atomic<bool>& stop) {
    while (!stop) {
        const int door = m_chance.below(ChaosCluster::kDoors);
        const auto face = m_faces.pick(m_chance.below(ChaosFaces::kSlots));
        const int dice = m_chance.below(100);
        if (dice < 30)
            enrol(door, face);
        else if (dice < 50)
            remove(door, face);
        else if (dice < 60)
            tidy(door);
        else if (dice < 75)
            look(door, face);
        else
            searchAll(door);
        std::this_thread::sleep_for(m_chance.between(10, 100)); // a client's own pace
    }
    for (const auto& door : m_doors)
        for (const auto& violation : door->violations())
            m_notes.complain(violation.toStdString());
}

void ChaosClient::enrol(int door, const QString& face) {
    const auto write = m_notes.begin(&History::beginEnrolment, face, door);
    const auto outcome = outcomeOf(through(door).enrol(m_photo, kKeyspace, face));
    m_notes.end(write, outcome);
    if (outcome == History::Outcome::Unknown)
        m_faces.layAside(face);
}

void ChaosClient::remove(int door, const QString& face) {
    const auto begun = chaosNow();
    const auto write = m_notes.begin(&History::beginRemoval, face, door);
    const auto answer = through(door).removeFaces({face}, kKeyspace);
    const bool foundNothing = answer.status == 200 && answer.array("deleted_face_ids").isEmpty();
    const auto outcome = foundNothing ? History::Outcome::NotDone : outcomeOf(answer);
    m_notes.end(write, outcome);
    if (foundNothing)
        m_notes.addLook(face, door, begun, false);
    if (outcome == History::Outcome::Unknown)
        m_faces.layAside(face);
}

void ChaosClient::tidy(int door) {
    if (const auto face = m_faces.takeSettled())
        remove(door, *face);
}

void ChaosClient::look(int door, const QString& face) {
    const auto begun = chaosNow();
    const auto answer = through(door).face(face, kKeyspace);
    if (answer.status == 200 || answer.error() == QStringLiteral("face_not_found"))
        m_notes.addLook(face, door, begun, answer.status == 200);
}

void ChaosClient::searchAll(int door) {
    const auto begun = chaosNow();
    auto seen = searchFaces(through(door), m_embedding);
    if (seen && !seen->stale)
        return m_notes.addRead(door, begun, std::move(seen->faces));
    for (const auto& face : seen ? seen->faces : std::vector<std::string>())
        m_notes.addLook(QString::fromStdString(face), door, begun, true);
}

} // namespace fremis::test
