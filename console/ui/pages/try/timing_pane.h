#pragma once

#include "console/client/face_calls.h"
#include "console/ui/pages/page.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace fremis::console::ui {

class FanOutView;

/// Measures recognition: one photo over and over, and the same photo to each node by itself. Thread: GUI.
class TimingPane final : public QWidget {
    Q_OBJECT

public:
    struct Probe {
        QUrl base; ///< for repetitions
        QByteArray image;
        RecogniseOptions options;
    };

    /// `probe`: what would be sent now; nothing when that cannot be sent.
    TimingPane(const PageContext& context, std::function<std::optional<Probe>()> probe, QWidget* parent = nullptr);
    void setSnapshot(const SnapshotPtr& snapshot) { m_snapshot = snapshot; }
    void refresh(); ///< what can be pressed
    void clear();   ///< ends what runs and forgets results
    void retranslate();
    [[nodiscard]] const RecognitionRun& run() const { return m_run; }

private:
    void repeat();
    void askEveryNode();
    void showRun();
    void showTimings(const std::vector<NodeTiming>& timings);

    const PageContext m_context;
    const std::function<std::optional<Probe>()> m_probe;
    SnapshotPtr m_snapshot;
    FaceCalls m_calls;
    RecognitionRun m_run;
    int m_wanted = 0;
    bool m_asking = false;
    int m_round = 0; ///< late answers of an older one are dropped
    QSpinBox* m_times;
    QPushButton* m_repeat;
    QPushButton* m_stop;
    QLabel* m_result;
    QPushButton* m_nodes;
    QLabel* m_note;
    FanOutView* m_view;
};

} // namespace fremis::console::ui
