#pragma once

#include "console/ui/pages/page.h"
#include "console/ui/pages/try/candidate_model.h"
#include "console/ui/pages/try/photo_button.h"
#include "console/ui/pages/try/timing_pane.h"
#include "console/ui/pages/try/try_reply.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;

namespace fremis::console::ui {

class DataTable;
class InfoBanner;
class PhotoView;
struct Property;
class PropertyList;
class Segmented;

/// Recognise, match, enrol, look up and delete against the cluster, to see what a client sees. Photos stay in memory
/// and go when the page is left. Thread: GUI.
class TryPage final : public Page {
    Q_OBJECT

public:
    enum class Mode { Recognise, Match, Enrol, Lookup };

    TryPage(const PageContext& context, QWidget* parent);
    [[nodiscard]] PhotoView& photo() { return *m_photo; }
    void setMode(Mode mode);
    void send();
    [[nodiscard]] QString title() const;
    [[nodiscard]] const TryReply& reply() const { return m_reply; }
    [[nodiscard]] bool isIdle() const { return !m_running; }
    /// What would be sent, the photo as "<base64 84 kB>".
    [[nodiscard]] QString shownRequest() const;
    [[nodiscard]] QString curl() const;
    [[nodiscard]] TimingPane& timing() { return *m_timing; }
    void exportCsv() override;

protected:
    void showSnapshot(const Snapshot& snapshot) override;
    void showSelection(const Selection& selection) override;
    void retranslate() override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* buildInputs();
    [[nodiscard]] QWidget* buildResults();
    void connectParts();
    [[nodiscard]] ClusterClient::RawCall makeCall() const;
    [[nodiscard]] QJsonObject recognitionParams() const;
    [[nodiscard]] QUrl target() const;
    [[nodiscard]] QString whyNotSendable() const;
    /// What the measurements send; nothing when that cannot be sent.
    [[nodiscard]] std::optional<TimingPane::Probe> probe() const;
    void take(const ClusterClient::RawAnswer& answer);
    void takeFailure(const CallFailure& failure);
    void showReply();
    void refreshForm();
    void refreshForecast();
    void removeFace();
    [[nodiscard]] std::vector<Property> faceFacts() const;

    Mode m_mode = Mode::Recognise;
    TryReply m_reply;
    QString m_response;
    std::optional<Milliseconds> m_took;
    bool m_running = false;
    CandidateModel m_candidates;
    Segmented* m_modes;
    PhotoMemory m_memory;
    PhotoView* m_photo;
    PhotoView* m_other;
    PhotoButton* m_photoButton;
    PhotoButton* m_otherButton;
    QComboBox* m_keyspace;
    QComboBox* m_target;
    QLineEdit* m_faceId;
    QDoubleSpinBox* m_threshold;
    QCheckBox* m_partial;
    QLabel* m_keyspaceLabel;
    QLabel* m_targetLabel;
    QLabel* m_faceLabel;
    QLabel* m_thresholdLabel;
    QLabel* m_forecast;
    QPushButton* m_send;
    QPushButton* m_delete;
    QLabel* m_title;
    InfoBanner* m_warning;
    DataTable* m_table;
    PropertyList* m_facts;
    QTabWidget* m_tabs;
    QPlainTextEdit* m_requestText;
    QPlainTextEdit* m_responseText;
    TimingPane* m_timing;
    QPushButton* m_curl;
};

} // namespace fremis::console::ui
