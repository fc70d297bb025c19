#include "console/ui/pages/try/timing_pane.h"

#include "console/ui/pages/try/fan_out_view.h"
#include "console/ui/widgets/format.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace fremis::console::ui {
namespace {

constexpr int kUsualTimes = 20;

} // namespace

TimingPane::TimingPane(const PageContext& context, std::function<std::optional<Probe>()> probe, QWidget* parent)
    : QWidget(parent), m_context(context), m_probe(std::move(probe)), m_calls(context.client), m_run(m_calls),
      m_times(new QSpinBox), m_repeat(new QPushButton), m_stop(new QPushButton), m_result(new QLabel),
      m_nodes(new QPushButton), m_note(new QLabel), m_view(new FanOutView(context.theme)) {
    m_times->setObjectName(QStringLiteral("try.times"));
    m_times->setRange(2, RecognitionRun::kMost);
    m_times->setValue(kUsualTimes);
    m_repeat->setObjectName(QStringLiteral("try.repeat"));
    m_stop->setObjectName(QStringLiteral("try.repeat.stop"));
    m_result->setObjectName(QStringLiteral("try.repeat.result"));
    m_nodes->setObjectName(QStringLiteral("try.nodes"));
    m_view->setObjectName(QStringLiteral("try.fan-out"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kSmall, space::kMedium, space::kSmall);
    layout->setSpacing(space::kSmall);
    auto* first = new QHBoxLayout;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_repeat, m_times, m_stop})
        first->addWidget(widget);
    first->addWidget(m_result, 1);
    layout->addLayout(first);
    auto* second = new QHBoxLayout;
    second->addWidget(m_nodes);
    second->addWidget(m_note, 1);
    layout->addLayout(second);
    for (QLabel* label : {m_result, m_note}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setForegroundRole(QPalette::PlaceholderText);
    }
    m_result->setForegroundRole(QPalette::Text);
    auto* area = new QScrollArea;
    area->setObjectName(QStringLiteral("try.fan-out.area"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_view);
    m_view->setAutoFillBackground(true);
    m_view->setBackgroundRole(QPalette::Base);
    layout->addWidget(area, 1);
    connect(m_repeat, &QPushButton::clicked, this, &TimingPane::repeat);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_run.cancel(); });
    connect(m_nodes, &QPushButton::clicked, this, &TimingPane::askEveryNode);
    connect(&m_run, &RecognitionRun::progressed, this, &TimingPane::showRun);
    connect(&m_run, &RecognitionRun::finished, this, &TimingPane::refresh);
}

void TimingPane::repeat() {
    const auto probe = m_probe();
    if (!probe || m_run.isRunning())
        return;
    m_wanted = m_times->value();
    m_run.start(probe->base, probe->image, probe->options, m_wanted);
    refresh();
    showRun();
}

void TimingPane::askEveryNode() {
    const auto probe = m_probe();
    if (!probe || m_asking || !m_snapshot)
        return;
    m_asking = true;
    refresh();
    m_calls.recogniseByNode(m_snapshot->nodes, probe->image, probe->options, this,
                            [this, round = m_round](const std::vector<NodeTiming>& timings) {
                                m_asking = false;
                                if (round == m_round)
                                    showTimings(timings);
                                refresh();
                            });
}

void TimingPane::showRun() {
    const auto p50 = m_run.percentile(50);
    const auto p95 = m_run.percentile(95);
    if (m_run.done() == 0) {
        m_result->setText(m_run.isRunning() ? tr("Waiting for the first answer...") : QString());
        return;
    }
    QString text = tr("%1 of %2", "repetitions").arg(m_run.done()).arg(m_wanted);
    if (p50 && p95)
        text = tr("%1: p50 %2, p95 %3").arg(text, latencyText(double(p50->count())), latencyText(double(p95->count())));
    if (m_run.failed() > 0)
        text += QStringLiteral(", ") + tr("%n failed", "", m_run.failed());
    m_result->setText(text);
}

void TimingPane::showTimings(const std::vector<NodeTiming>& timings) {
    std::vector<FanOutView::Bar> bars;
    for (const NodeTiming& timing : timings) {
        const auto at = m_snapshot ? m_snapshot->nodeAt(timing.address) : std::nullopt;
        bars.push_back({at ? m_snapshot->nodes[std::size_t(*at)].label() : timing.address, at.value_or(0), timing});
    }
    m_view->set(std::move(bars));
}

void TimingPane::refresh() {
    const bool can = m_probe().has_value();
    m_repeat->setEnabled(can && !m_run.isRunning());
    m_times->setEnabled(!m_run.isRunning());
    m_stop->setEnabled(m_run.isRunning());
    m_nodes->setEnabled(can && !m_asking);
}

void TimingPane::clear() {
    m_run.cancel();
    ++m_round;
    m_view->set({});
    m_result->clear();
    refresh();
}

void TimingPane::retranslate() {
    m_repeat->setText(tr("Repeat"));
    m_times->setSuffix(tr(" times"));
    m_times->setAccessibleName(tr("How often"));
    m_stop->setText(tr("Stop"));
    m_nodes->setText(tr("Ask every node"));
    m_note->setText(tr("Each node gets the photo by itself, four at a time: a coordinator's answer names no times."));
    m_view->retranslate();
    showRun();
}

} // namespace fremis::console::ui
