#include "console/ui/pages/metrics/metrics_page.h"

#include "console/client/csv.h"
#include "console/ui/widgets/data_table.h"
#include "console/ui/widgets/save_file.h"
#include "console/ui/widgets/segmented.h"

#include <QGridLayout>
#include <QImage>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include <cmath>

namespace fremis::console::ui {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

/// Those that many workers do not have come last.
constexpr std::array<Metric, 8> kShown = {Metric::Cpu,   Metric::Ram,         Metric::Vectors,
                                          Metric::Queue, Metric::PollLatency, Metric::FanOutLatency,
                                          Metric::Gpu,   Metric::GpuMemory};
constexpr minutes kShortestRange{1};
constexpr int kSession = 4; ///< number of the range "since the start"
constexpr int kColumns = 2;
constexpr int kPanelHeight = 200;
constexpr int kEmptyHeight = 56;

Milliseconds lengthOf(int range) {
    constexpr std::array<Milliseconds, 4> kLengths = {minutes(5), minutes(15), hours(1), hours(6)};
    return kLengths[std::size_t(std::clamp(range, 0, 3))];
}

bool isPercent(Metric metric) {
    return metric == Metric::Cpu || metric == Metric::Ram || metric == Metric::Gpu || metric == Metric::GpuMemory;
}

} // namespace

MetricsPage::MetricsPage(const PageContext& context, QWidget* parent)
    : Page(context, QStringLiteral("metrics"), parent), m_range(new Segmented(context.theme)),
      m_view(new Segmented(context.theme)), m_unzoom(new QToolButton) {
    buildTools();
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("metrics.area"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* holder = new QWidget;
    holder->setAutoFillBackground(true);
    holder->setBackgroundRole(QPalette::Base);
    auto* grid = new QGridLayout(holder);
    grid->setContentsMargins(space::kLarge, space::kTiny, space::kMedium, space::kMedium);
    grid->setHorizontalSpacing(space::kLarge);
    grid->setVerticalSpacing(space::kMedium);
    for (std::size_t i = 0; i < kShown.size(); ++i)
        addPanel(kShown[i], holder, int(i));
    for (int column = 0; column < kColumns; ++column)
        grid->setColumnStretch(column, 1);
    area->setWidget(holder);
    setContent(area);
    QAction* swap = context.actions.add({QStringLiteral("metrics.tables"),
                                         QT_TRANSLATE_NOOP("Actions", "Charts as &tables"),
                                         nullptr,
                                         QStringLiteral("sort"),
                                         {QKeySequence(Qt::Key_F4)},
                                         Menu::View,
                                         Effect::Looks,
                                         true});
    connect(swap, &QAction::toggled, this, &MetricsPage::setTables);
    m_range->setCurrent(std::clamp(QSettings().value(QStringLiteral("metrics/range"), 1).toInt(), 0, kSession));
    m_view->setCurrent(std::clamp(QSettings().value(QStringLiteral("metrics/view"), 0).toInt(), 0, 2));
}

void MetricsPage::buildTools() {
    m_range->setObjectName(QStringLiteral("metrics.range"));
    m_view->setObjectName(QStringLiteral("metrics.view"));
    for (const auto* id : {"5m", "15m", "1h", "6h", "session"})
        m_range->addChoice(QLatin1String(id));
    for (const auto* id : {"node", "sum", "mean"})
        m_view->addChoice(QLatin1String(id));
    m_unzoom->setObjectName(QStringLiteral("metrics.unzoom"));
    m_unzoom->setAutoRaise(true);
    m_unzoom->hide();
    tools().addSpacing(space::kMedium);
    tools().addWidget(m_range);
    tools().addWidget(m_unzoom);
    tools().addStretch();
    tools().addWidget(m_view);
    connect(m_range, &Segmented::chosen, this, [this] {
        unzoom();
        refresh();
    });
    connect(m_view, &Segmented::chosen, this, &MetricsPage::refresh);
    connect(m_unzoom, &QToolButton::clicked, this, &MetricsPage::unzoom);
}

void MetricsPage::addPanel(Metric metric, QWidget* holder, int number) {
    Panel panel{metric, new QStackedWidget(holder), new TimeSeriesView(context().theme), new SeriesTableModel(this),
                nullptr};
    panel.chart->setObjectName(QStringLiteral("metrics.chart.%1").arg(number));
    panel.table = new DataTable(context().theme, *panel.model, QStringLiteral("metrics.table.%1").arg(number));
    panel.stack->addWidget(panel.chart);
    panel.stack->addWidget(panel.table);
    panel.stack->setFixedHeight(withText(font(), kPanelHeight));
    if (isPercent(metric))
        panel.chart->setCeiling(100);
    static_cast<QGridLayout*>(holder->layout())->addWidget(panel.stack, number / kColumns, number % kColumns);
    connect(panel.chart, &TimeSeriesView::crosshairMoved, this,
            [this](std::optional<qint64> time) { showCrosshair(time ? time : m_pinned); });
    connect(panel.chart, &TimeSeriesView::pinned, this, [this](qint64 time) {
        m_pinned = time;
        showCrosshair(time);
        setFocus();
    });
    connect(panel.chart, &TimeSeriesView::rangeBrushed, this, &MetricsPage::brush);
    m_panels.push_back(panel);
}

TimeSeriesView& MetricsPage::chart(Metric metric) {
    const auto panel =
        std::find_if(m_panels.begin(), m_panels.end(), [metric](const Panel& p) { return p.metric == metric; });
    return panel == m_panels.end() ? *m_panels.front().chart : *panel->chart;
}

void MetricsPage::showCrosshair(std::optional<qint64> time) {
    for (const Panel& panel : m_panels)
        panel.chart->setCrosshair(time);
}

void MetricsPage::brush(qint64 from, qint64 to) {
    context().selection.selectTime(TimeRange{Instant(from), Instant(to)});
}

void MetricsPage::unzoom() {
    context().selection.selectTime(std::nullopt);
}

void MetricsPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Delete && m_pinned) {
        m_pinned.reset();
        showCrosshair(std::nullopt);
        return;
    }
    Page::keyPressEvent(event);
}

void MetricsPage::setTables(bool tables) {
    m_tables = tables;
    for (const Panel& panel : m_panels)
        panel.stack->setCurrentIndex(tables ? 1 : 0);
    refresh();
}

TimeRange MetricsPage::shownRange(const Snapshot& snapshot) const {
    if (const auto& chosen = context().selection.current().timeRange)
        return *chosen;
    const Instant to = snapshot.takenAt;
    // A young session fills the width: a stub at the right edge tells nothing.
    const Instant first = std::min(context().history.firstTick().value_or(to), to - kShortestRange);
    if (m_range->current() == kSession)
        return {first, to};
    return {std::max(first, to - lengthOf(m_range->current())), to};
}

std::vector<TimeSeriesView::Series> MetricsPage::seriesOf(Metric metric, const Snapshot& snapshot,
                                                          TimeRange range) const {
    std::vector<TimeSeriesView::Series> each;
    for (std::size_t node = 0; node < snapshot.nodes.size(); ++node)
        each.push_back({snapshot.nodes[node].label(),
                        int(node),
                        context().history.series(snapshot.nodes[node].address, metric, range.from, range.to),
                        {}});
    std::erase_if(each, [](const TimeSeriesView::Series& one) {
        return std::none_of(one.points.begin(), one.points.end(),
                            [](const QPointF& p) { return std::isfinite(p.y()); });
    });
    const auto view = View(m_view->current());
    if (view == View::PerNode || each.empty())
        return each;
    TimeSeriesView::Series folded{view == View::Sum ? tr("Sum") : tr("Mean, up to the greatest"), -1, {}, {}};
    for (qsizetype i = 0; i < each.front().points.size(); ++i) {
        double sum = 0;
        double most = 0;
        int count = 0;
        for (const auto& one : each) {
            if (i >= one.points.size() || !std::isfinite(one.points[i].y()))
                continue;
            sum += one.points[i].y();
            most = std::max(most, one.points[i].y());
            ++count;
        }
        const double x = each.front().points[i].x();
        const double nothing = kNoSample;
        folded.points.append({x, count == 0 ? nothing : view == View::Sum ? sum : sum / count});
        if (view == View::MeanAndMost)
            folded.upper.append({x, count == 0 ? nothing : most});
    }
    return {folded};
}

void MetricsPage::refresh() {
    m_drawn.reset();
    if (snapshot())
        showSnapshot(*snapshot());
}

void MetricsPage::showSnapshot(const Snapshot& snapshot) {
    // Snapshots come up to four times as often as samples: charts without a new one stay as they are.
    const Drawn now{snapshot.generation, context().history.lastTick(), context().events.events().size()};
    if (m_drawn == now)
        return;
    m_drawn = now;
    const TimeRange range = shownRange(snapshot);
    m_unzoom->setVisible(context().selection.current().timeRange.has_value());
    QList<qint64> marks;
    for (const Event& event : context().events.events())
        if (event.time >= range.from && event.time <= range.to)
            marks.append(event.time.count());
    const AlertThresholds limits = context().profile().thresholds;
    for (const Panel& panel : m_panels) {
        auto series = seriesOf(panel.metric, snapshot, range);
        const bool isGpu = panel.metric == Metric::Gpu || panel.metric == Metric::GpuMemory;
        panel.stack->setFixedHeight(withText(font(), series.empty() && isGpu ? kEmptyHeight : kPanelHeight));
        if (series.empty()) {
            panel.chart->setReason(isGpu ? tr("No worker reports a GPU.") : tr("No worker has told this yet."));
            panel.model->set({});
            continue;
        }
        panel.chart->setMarks(marks);
        if (panel.metric == Metric::Ram)
            panel.chart->setLimits({{limits.ramWarning, Severity::Warning}, {limits.ramCritical, Severity::Critical}});
        if (panel.metric == Metric::Queue)
            panel.chart->setLimits({{double(limits.queueOps), Severity::Warning}});
        if (m_tables)
            panel.model->set(series);
        panel.chart->setData(std::move(series), range.from, range.to);
    }
}

void MetricsPage::showSelection(const Selection&) {
    refresh();
}

void MetricsPage::showStale(bool stale) {
    for (const Panel& panel : m_panels)
        panel.chart->setStale(stale);
}

void MetricsPage::exportCsv() {
    if (!snapshot())
        return;
    QList<QVariantList> rows;
    for (const Panel& panel : m_panels)
        for (const auto& series : panel.chart->series())
            for (const QPointF& point : series.points)
                rows.append({titleOf(panel.metric), series.name, qint64(point.x()),
                             std::isfinite(point.y()) ? QVariant(point.y()) : QVariant()});
    const QString comment = tr("Metrics of %1; percent, counts, milliseconds; times in milliseconds since 1970");
    saveBytes(
        context(), this, tr("Export metrics"), QStringLiteral("metrics.csv"),
        csvText({comment.arg(context().profile().name)},
                {QStringLiteral("metric"), QStringLiteral("line"), QStringLiteral("time_ms"), QStringLiteral("value")},
                rows));
}

void MetricsPage::exportPng() {
    QWidget* holder = m_panels.front().stack->parentWidget();
    QImage image(holder->size() * 2, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    image.fill(context().theme.colors().surface);
    QPainter painter(&image);
    holder->render(&painter);
    painter.end();
    savePicture(context(), this, tr("Export charts"), QStringLiteral("metrics.png"), image);
}

void MetricsPage::saveLayout(QSettings& settings) const {
    settings.setValue(QStringLiteral("metrics/range"), m_range->current());
    settings.setValue(QStringLiteral("metrics/view"), m_view->current());
}

QString MetricsPage::titleOf(Metric metric) const {
    switch (metric) {
    case Metric::Cpu:
        return tr("Processor");
    case Metric::Ram:
        return tr("Memory");
    case Metric::Gpu:
        return tr("GPU");
    case Metric::GpuMemory:
        return tr("GPU memory");
    case Metric::Vectors:
        return tr("Vectors");
    case Metric::Queue:
        return tr("Writes waiting");
    case Metric::PollLatency:
        return tr("Answer to polls");
    case Metric::FanOutLatency:
        return tr("Fan-out, as the coordinator measures");
    case Metric::Disk:
        return tr("Disk");
    case Metric::ClockSkew:
        return tr("Clock skew");
    }
    return {};
}

QString MetricsPage::unitOf(Metric metric) const {
    if (isPercent(metric))
        return QStringLiteral("%");
    return metric == Metric::PollLatency || metric == Metric::FanOutLatency ? QStringLiteral("ms") : QString();
}

void MetricsPage::retranslate() {
    m_drawn.reset();
    setTitle(tr("Metrics"));
    const QStringList ranges = {tr("5 min"), tr("15 min"), tr("1 h"), tr("6 h"), tr("Session")};
    for (int i = 0; i < ranges.size(); ++i)
        m_range->setText(i, ranges[i]);
    m_range->setAccessibleName(tr("Range of time"));
    const QStringList views = {tr("Per node"), tr("Sum"), tr("Mean and greatest")};
    for (int i = 0; i < views.size(); ++i)
        m_view->setText(i, views[i]);
    m_view->setAccessibleName(tr("How nodes are put together"));
    if (auto* area = findChild<QScrollArea*>(QStringLiteral("metrics.area")))
        area->setAccessibleName(tr("Charts"));
    m_unzoom->setText(tr("Back to now"));
    m_unzoom->setAccessibleName(m_unzoom->text());
    for (const Panel& panel : m_panels) {
        panel.chart->setUnit(unitOf(panel.metric));
        panel.chart->setTitle(titleOf(panel.metric));
        panel.table->setAccessibleName(titleOf(panel.metric));
        panel.model->retranslate();
    }
    refresh();
}

} // namespace fremis::console::ui
