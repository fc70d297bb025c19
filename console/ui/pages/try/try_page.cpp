#include "console/ui/pages/try/try_page.h"

#include "console/client/curl_text.h"
#include "console/client/redaction.h"
#include "console/ui/pages/try/photo_view.h"
#include "console/ui/shell/verdict.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/format.h"
#include "console/ui/widgets/info_banner.h"
#include "console/ui/widgets/property_list.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/segmented.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

namespace fremis::console::ui {
namespace {

const QString kDeleteFace = QStringLiteral("try.delete-face");
const QString kEnrol = QStringLiteral("try.enrol");

} // namespace

void TryPage::setMode(Mode mode) {
    m_mode = mode;
    m_modes->setCurrent(int(mode));
    m_reply = {};
    m_response.clear();
    m_took.reset();
    refreshForm();
    showReply();
}

QUrl TryPage::target() const {
    const QUrl chosen = m_target->currentData().toUrl();
    return chosen.isEmpty() && snapshot() ? snapshot()->coordinatorUrl() : chosen;
}

QString TryPage::whyNotSendable() const {
    if (m_running)
        return tr("Waiting for the answer...");
    if (!snapshot() || target().isEmpty())
        return tr("No program to send it to.");
    const bool needsPhoto = m_mode != Mode::Lookup;
    if (needsPhoto && m_photo->isEmpty())
        return tr("A photo is needed first.");
    if (m_mode == Mode::Match && m_other->isEmpty() && m_faceId->text().isEmpty())
        return tr("A second photo or a face id is needed.");
    if (m_mode == Mode::Lookup && m_faceId->text().isEmpty())
        return tr("A face id is needed.");
    if (m_mode == Mode::Enrol && context().actions.isLocked())
        return context().actions.whyDisabled(kEnrol);
    return {};
}

std::optional<TimingPane::Probe> TryPage::probe() const {
    if (!snapshot() || target().isEmpty() || m_photo->isEmpty())
        return std::nullopt;
    RecogniseOptions options;
    options.keyspace = m_keyspace->currentText();
    if (m_partial->isChecked())
        options.allowPartial = true;
    return TimingPane::Probe{target(), m_photo->bytes(), options};
}

QJsonObject TryPage::recognitionParams() const {
    QJsonObject params{{QStringLiteral("candidateCount"), 5}};
    if (m_partial->isChecked())
        params.insert(QStringLiteral("allow_partial_search"), true);
    return params;
}

ClusterClient::RawCall TryPage::makeCall() const {
    const auto encoded = [](const PhotoView* view) { return QString::fromLatin1(view->bytes().toBase64()); };
    const QString keyspace = m_keyspace->currentText();
    ClusterClient::RawCall call;
    call.timeout = std::chrono::seconds(15);
    call.method = "POST";
    QJsonObject body;
    switch (m_mode) {
    case Mode::Recognise:
        call.path = QStringLiteral("/v1/face/recognition");
        body = {{QStringLiteral("image"), encoded(m_photo)},
                {QStringLiteral("keyspace"), keyspace},
                {QStringLiteral("additional_params"), recognitionParams()}};
        break;
    case Mode::Match:
        if (m_other->isEmpty()) {
            call.path = QStringLiteral("/v2/face/match");
            body = {{QStringLiteral("face_a"), QJsonObject{{QStringLiteral("image"), encoded(m_photo)}}},
                    {QStringLiteral("face_b"), QJsonObject{{QStringLiteral("keyspace"), keyspace},
                                                           {QStringLiteral("face_id"), m_faceId->text()}}}};
        } else {
            call.path = QStringLiteral("/v1/face/match");
            body = {{QStringLiteral("image_a"), QJsonObject{{QStringLiteral("content"), encoded(m_photo)}}},
                    {QStringLiteral("image_b"), QJsonObject{{QStringLiteral("content"), encoded(m_other)}}}};
        }
        break;
    case Mode::Enrol:
        call.path = QStringLiteral("/v1/face/enrollment");
        body = {{QStringLiteral("image"), encoded(m_photo)}, {QStringLiteral("keyspace"), keyspace}};
        if (!m_faceId->text().isEmpty())
            body.insert(QStringLiteral("additional_params"),
                        QJsonObject{{QStringLiteral("face_id"), m_faceId->text()}});
        break;
    case Mode::Lookup:
        call.method = "GET";
        call.path = QStringLiteral("/v1/face/enrollment");
        call.query = {{QStringLiteral("keyspace"), keyspace}, {QStringLiteral("face_id"), m_faceId->text()}};
        return call;
    }
    call.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    return call;
}

QString TryPage::shownRequest() const {
    const ClusterClient::RawCall call = makeCall();
    QString text =
        QStringLiteral("%1 %2%3").arg(QString::fromLatin1(call.method), target().toString(QUrl::RemovePath), call.path);
    QStringList query;
    for (const auto& [name, value] : call.query)
        query.append(name + QLatin1Char('=') + value);
    if (!query.isEmpty())
        text += QLatin1Char('?') + query.join(QLatin1Char('&'));
    return call.body.isEmpty() ? text : text + QStringLiteral("\n\n") + redactedBody(call.body);
}

QString TryPage::curl() const {
    const ClusterClient::RawCall call = makeCall();
    return curlText(target(), call, context().client.signerOf(call));
}

void TryPage::send() {
    if (!whyNotSendable().isEmpty())
        return;
    if (m_mode != Mode::Lookup)
        m_memory.last = m_photo->bytes();
    m_running = true;
    refreshForm();
    context().client.call(target(), makeCall(), this,
                          [this, mode = m_mode](CallResult<ClusterClient::RawAnswer> answer) {
                              m_running = false;
                              if (mode == m_mode) {
                                  if (answer)
                                      take(*answer);
                                  else
                                      takeFailure(answer.error());
                              }
                              refreshForm();
                          });
}

void TryPage::take(const ClusterClient::RawAnswer& answer) {
    m_reply = readTryReply(answer.body);
    m_took = answer.took;
    m_response = redactedBody(answer.body);
    m_photo->setFaces(m_reply.faces);
    showReply();
}

void TryPage::takeFailure(const CallFailure& failure) {
    m_reply = readTryReply(failure.body);
    m_took.reset();
    m_response = redactedBody(failure.body);
    showReply();
    m_title->setText(failure.token == QLatin1String("incomplete_search")
                         ? tr("Not answered: not all partitions could be searched")
                         : tr("Not answered"));
    QString text = textOf(failure);
    if (const QString missing = coverageWarning(m_reply); !missing.isEmpty())
        text += QLatin1Char(' ') + missing;
    m_warning->show(Severity::Critical, text, failure.requestId);
}

void TryPage::showReply() {
    m_warning->hide();
    if (const QString warning = coverageWarning(m_reply); !warning.isEmpty())
        m_warning->show(Severity::Warning, warning);
    m_candidates.set(m_reply, m_threshold->value(), m_keyspace->currentText(), snapshot());
    m_table->setVisible(m_mode == Mode::Recognise);
    std::vector<Property> facts;
    QString title = tr("Nothing sent yet");
    if (m_reply.readable) {
        switch (m_mode) {
        case Mode::Recognise:
            title = recognitionTitle(m_reply, m_threshold->value());
            break;
        case Mode::Match:
            title = m_reply.similarity ? tr("Similarity %1").arg(decimalText(*m_reply.similarity, 4))
                                       : tr("No similarity was told");
            if (m_reply.similarity)
                facts.push_back({tr("Threshold"),
                                 *m_reply.similarity >= m_threshold->value() ? tr("above: the same person")
                                                                             : tr("below: different persons"),
                                 *m_reply.similarity >= m_threshold->value() ? Severity::Ok : Severity::Info});
            break;
        case Mode::Enrol:
            title = m_reply.faceId.isEmpty() ? tr("Not enrolled") : tr("Enrolled as %1").arg(m_reply.faceId);
            if (!m_reply.variation.isEmpty())
                facts.push_back({tr("Photo"), m_reply.variation});
            if (m_reply.acked)
                facts.push_back({tr("Copies written"), numberText(*m_reply.acked)});
            if (m_reply.queued)
                facts.push_back({tr("Copies queued"), numberText(*m_reply.queued),
                                 *m_reply.queued > 0 ? std::optional(Severity::Warning) : std::nullopt});
            break;
        case Mode::Lookup:
            title = tr("Found");
            break;
        }
    }
    if (m_reply.coverage)
        facts.push_back({tr("Searched"),
                         tr("%1 of %2 partitions").arg(m_reply.coverage->searched).arg(m_reply.coverage->total),
                         m_reply.coverage->complete ? Severity::Ok : Severity::Warning});
    if (m_reply.coverage && m_reply.coverage->vectors)
        facts.push_back({tr("Vectors compared"), numberText(qint64(*m_reply.coverage->vectors))});
    const auto ofFaces = faceFacts();
    facts.insert(facts.end(), ofFaces.begin(), ofFaces.end());
    if (m_took)
        facts.push_back({tr("Answer took"), latencyText(double(m_took->count()))});
    m_title->setText(title);
    m_facts->set(facts);
    m_responseText->setPlainText(m_response);
}

std::vector<Property> TryPage::faceFacts() const {
    std::vector<Property> facts;
    if (m_reply.faces.empty())
        return facts;
    facts.push_back({tr("Faces in the photo"), numberText(qint64(m_reply.faces.size()))});
    for (const DetectedFace& face : m_reply.faces) {
        if (!face.used)
            continue;
        facts.push_back({tr("Face that was used"), tr("%1 x %2 pixels, detector %3")
                                                       .arg(face.box.width())
                                                       .arg(face.box.height())
                                                       .arg(decimalText(face.score, 2))});
        if (face.norm)
            facts.push_back({tr("Quality (norm)"), decimalText(*face.norm, 1)});
        for (const QString& warning : face.warnings)
            facts.push_back({{}, warning, Severity::Warning});
    }
    return facts;
}

void TryPage::removeFace() {
    const QString face = m_faceId->text();
    const QString keyspace = m_keyspace->currentText();
    if (face.isEmpty() || target().isEmpty())
        return;
    Confirmation question;
    question.title = tr("Delete a face");
    question.text = tr("Delete face %1 of keyspace %2?").arg(face, keyspace);
    question.details = tr("All its photos go; the person cannot be found any more.");
    question.yes = tr("Delete");
    question.severity = Severity::Critical;
    question.environment =
        QStringLiteral("%1 - %2").arg(wordOf(context().profile().environment), context().profile().name);
    question.typed = face;
    context().dialogs.confirm(this, question, [this, face, keyspace](bool yes) {
        if (!yes)
            return;
        ClusterClient::RawCall call;
        call.method = "POST";
        call.path = QStringLiteral("/v1/face/delete-enrollment");
        call.body = QJsonDocument(QJsonObject{{QStringLiteral("keyspace"), keyspace},
                                              {QStringLiteral("face_ids"), QJsonArray{face}}})
                        .toJson(QJsonDocument::Compact);
        context().client.call(target(), call, this, [this, face](CallResult<ClusterClient::RawAnswer> answer) {
            if (answer)
                context().notify(Severity::Ok, tr("Face %1 is deleted.").arg(face), {});
            else
                context().notify(Severity::Critical,
                                 tr("Face %1 was not deleted: %2").arg(face, textOf(answer.error())),
                                 answer.error().token);
        });
    });
}

void TryPage::refreshForecast() {
    m_forecast->clear();
    const bool shown = m_mode == Mode::Enrol && snapshot() && !m_faceId->text().isEmpty();
    m_forecast->setVisible(shown);
    if (!shown)
        return;
    const EnrollPreview preview = previewEnrollment(*snapshot(), m_keyspace->currentText(), m_faceId->text());
    QStringList owners;
    QStringList queued;
    for (const QString& address : preview.owners)
        (preview.willQueue.contains(address) ? queued : owners).append(snapshot()->find(address)->label());
    QString text = tr("Partition %1, written to %2")
                       .arg(preview.partition)
                       .arg(owners.isEmpty() ? tr("nobody") : owners.join(QStringLiteral(", ")));
    if (!queued.isEmpty() && preview.isPossible)
        text += QStringLiteral("; ") + tr("queued for %1").arg(queued.join(QStringLiteral(", ")));
    if (!preview.isPossible)
        text += QStringLiteral(". ") + tr("It will be refused: no owner is there to take it.");
    m_forecast->setText(text);
}

void TryPage::exportCsv() {
    saveBytes(context(), this, tr("Export candidates"), QStringLiteral("candidates.csv"),
              m_table->csv(tr("Candidates; similarity 0..1")));
}

} // namespace fremis::console::ui
