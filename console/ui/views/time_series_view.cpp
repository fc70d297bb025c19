#include "console/ui/views/time_series_view.h"

#include "console/ui/widgets/format.h"

#include <QCategoryAxis>
#include <QChart>
#include <QDateTime>
#include <QDateTimeAxis>
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace fremis::console::ui {
namespace {

constexpr int kTitle = 24; ///< these four grow with the text
constexpr int kBottom = 20;
constexpr int kLeft = 48;
constexpr int kRight = 26;           ///< half of a time
constexpr double kLeastBrush = 6;    ///< px
constexpr int kTimeLabelWidth = 110; ///< px between two times
constexpr int kGridSteps = 4;

/// 1, 2 or 5 times a power of ten, at least `value`.
double niceTop(double value) {
    if (!(value > 0))
        return 1;
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0, 10.0})
        if (step * power >= value)
            return step * power;
    return 10 * power;
}

QString axisText(double value, const QString& unit) {
    const QString number = value >= 10'000 ? shortNumberText(qint64(value))
                           : value >= 10   ? decimalText(value, 0)
                                           : QLocale().toString(value, 'g', 3);
    return unit.isEmpty() ? number : number + QStringLiteral(" ") + unit;
}

} // namespace

TimeSeriesView::TimeSeriesView(const Theme& theme, QWidget* parent)
    : QChartView(parent), m_theme(theme), m_times(new QDateTimeAxis), m_values(new QCategoryAxis) {
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setRenderHint(QPainter::Antialiasing);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->legend()->hide();
    chart()->setBackgroundVisible(false);
    chart()->setMargins({});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->addAxis(m_times, Qt::AlignBottom);
    chart()->addAxis(m_values, Qt::AlignLeft);
    m_times->setFormat(QStringLiteral("HH:mm:ss"));
    m_times->setGridLineVisible(false);
    m_values->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_values->setLineVisible(false);
    connect(&theme, &Theme::changed, this, &TimeSeriesView::applyTheme);
    applyTheme();
}

void TimeSeriesView::applyTheme() {
    const ThemeColors& c = m_theme.colors();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.85);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_times), static_cast<QAbstractAxis*>(m_values)}) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(c.muted);
        axis->setLinePen(QPen(c.outline, 1));
        axis->setGridLinePen(QPen(c.line, 1));
    }
    showLines();
    redraw();
}

void TimeSeriesView::redraw() {
    resetCachedContent();
    viewport()->update();
}

void TimeSeriesView::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(title);
    redraw();
}

void TimeSeriesView::setData(std::vector<Series> series, Instant from, Instant to) {
    m_series = std::move(series);
    m_from = from.count();
    m_to = std::max(to.count(), from.count() + 1);
    m_reason.clear();
    rescale();
    showAxes();
    showLines();
    setAccessibleDescription(sentence());
    redraw();
}

void TimeSeriesView::showAxes() {
    m_times->setVisible(!isEmpty());
    m_values->setVisible(!isEmpty());
    m_times->setRange(QDateTime::fromMSecsSinceEpoch(m_from), QDateTime::fromMSecsSinceEpoch(m_to));
    m_times->setTickCount(std::max(2, int(plot().width() / withText(font(), kTimeLabelWidth))) + 1);
    showValueLabels();
    // The same in each chart, so that equal times stand under each other. A new range lays the axes out anew.
    chart()->setPlotArea({});
    chart()->setPlotArea(plot());
}

void TimeSeriesView::showValueLabels() {
    const auto old = m_values->categoriesLabels();
    for (const QString& label : old)
        m_values->remove(label);
    m_values->setRange(0, m_top);
    for (int line = 0; line <= kGridSteps; ++line) {
        const double value = m_top * line / kGridSteps;
        m_values->append(axisText(value, m_unit), value);
    }
}

void TimeSeriesView::showLines() {
    const auto shown = chart()->series();
    for (qsizetype i = shown.size(); i-- > qsizetype(m_series.size());)
        chart()->removeSeries(shown[i]), delete shown[i];
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        auto* line = i < std::size_t(shown.size()) ? static_cast<QLineSeries*>(shown[qsizetype(i)]) : new QLineSeries;
        const Series& series = m_series[i];
        const bool hatched = series.node >= Theme::kNodeFills;
        line->setName(series.name);
        line->setPen(QPen(colorOf(series), 1.6, hatched ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        line->replace(series.points);
        if (i < std::size_t(shown.size()))
            continue;
        chart()->addSeries(line);
        line->attachAxis(m_times);
        line->attachAxis(m_values);
    }
}

void TimeSeriesView::setReason(const QString& reason) {
    m_reason = reason;
    m_series.clear();
    showAxes();
    showLines();
    redraw();
}

void TimeSeriesView::setStale(bool stale) {
    m_stale = stale;
    redraw();
}

void TimeSeriesView::setCrosshair(std::optional<qint64> time) {
    if (time == m_crosshair)
        return;
    m_crosshair = time;
    redraw();
}

void TimeSeriesView::rescale() {
    double most = 0;
    for (const Series& series : m_series)
        for (const auto* points : {&series.points, &series.upper})
            for (const QPointF& point : *points)
                if (std::isfinite(point.y()))
                    most = std::max(most, point.y());
    m_top = m_ceiling.value_or(niceTop(most * 1.05));
}

QString TimeSeriesView::sentence() const {
    const Series* highest = nullptr;
    double newest = -1;
    double before = 0;
    for (const Series& series : m_series) {
        const QPointF* last = nullptr;
        const QPointF* first = nullptr;
        for (const QPointF& point : series.points) {
            if (!std::isfinite(point.y()))
                continue;
            if (!first)
                first = &point;
            last = &point;
        }
        if (last && last->y() > newest) {
            newest = last->y();
            before = first->y();
            highest = &series;
        }
    }
    if (!highest)
        return tr("%1: no data").arg(m_title);
    const double change = newest - before;
    const QString value = axisText(newest, m_unit);
    if (std::abs(change) < 0.02 * std::max(1.0, m_top))
        return tr("%1 %2: %3, steady").arg(m_title, highest->name, value);
    return change > 0 ? tr("%1 %2: %3, rising").arg(m_title, highest->name, value)
                      : tr("%1 %2: %3, falling").arg(m_title, highest->name, value);
}

std::optional<double> TimeSeriesView::valueAt(const QList<QPointF>& points, qint64 time) {
    const auto after = std::lower_bound(points.begin(), points.end(), double(time),
                                        [](const QPointF& p, double t) { return p.x() < t; });
    const QPointF* nearest = nullptr;
    for (auto it = after == points.begin() ? after : after - 1; it != points.end() && it <= after; ++it)
        if (!nearest || std::abs(it->x() - double(time)) < std::abs(nearest->x() - double(time)))
            nearest = &*it;
    if (!nearest || !std::isfinite(nearest->y()))
        return std::nullopt;
    return nearest->y();
}

QRectF TimeSeriesView::plot() const {
    const QFont f = font();
    return QRectF(rect()).adjusted(withText(f, kLeft), withText(f, kTitle) + 4, -withText(f, kRight),
                                   -withText(f, kBottom));
}

double TimeSeriesView::xOf(double time) const {
    const QRectF area = plot();
    return area.left() + area.width() * (time - double(m_from)) / double(m_to - m_from);
}

double TimeSeriesView::yOf(double value) const {
    const QRectF area = plot();
    return area.bottom() - area.height() * std::min(1.0, value / m_top);
}

qint64 TimeSeriesView::timeAt(double x) const {
    const QRectF area = plot();
    return m_from + qint64(double(m_to - m_from) * std::clamp((x - area.left()) / area.width(), 0.0, 1.0));
}

QColor TimeSeriesView::colorOf(const Series& series) const {
    const ThemeColors& c = m_theme.colors();
    QColor color = series.node >= 0 ? Theme::nodeFill(series.node).fill : c.accent;
    // A line of yellow on white, or of navy on black, would not be seen.
    while (contrastRatio(color, c.surface) < 3)
        color = mixed(m_theme.isDark() ? Qt::white : Qt::black, color, 0.15);
    return color;
}

void TimeSeriesView::drawBands(QPainter& painter) const {
    for (const Series& series : m_series) {
        const auto& lower = series.points;
        const auto& upper = series.upper;
        if (upper.size() != lower.size())
            continue;
        const auto gap = [&](qsizetype i) { return !std::isfinite(lower[i].y()) || !std::isfinite(upper[i].y()); };
        QPainterPath band;
        for (qsizetype i = 0; i + 1 < lower.size(); ++i)
            if (!gap(i) && !gap(i + 1))
                band.addPolygon(QPolygonF({{xOf(lower[i].x()), yOf(lower[i].y())},
                                           {xOf(upper[i].x()), yOf(upper[i].y())},
                                           {xOf(upper[i + 1].x()), yOf(upper[i + 1].y())},
                                           {xOf(lower[i + 1].x()), yOf(lower[i + 1].y())}}));
        QColor soft = colorOf(series);
        soft.setAlphaF(0.18f);
        painter.fillPath(band, soft);
    }
}

// A point between two gaps: there is no line to see it by.
void TimeSeriesView::drawLonePoints(QPainter& painter) const {
    painter.setPen(Qt::NoPen);
    for (const Series& series : m_series) {
        const auto& points = series.points;
        const auto gap = [&](qsizetype i) { return i < 0 || i >= points.size() || !std::isfinite(points[i].y()); };
        painter.setBrush(colorOf(series));
        for (qsizetype i = 0; i < points.size(); ++i)
            if (!gap(i) && gap(i - 1) && gap(i + 1))
                painter.drawEllipse(QPointF(xOf(points[i].x()), yOf(points[i].y())), 1.5, 1.5);
    }
}

void TimeSeriesView::drawLimitsAndMarks(QPainter& painter) const {
    const QRectF area = plot();
    painter.setPen(QPen(m_theme.colors().muted, 1));
    for (const qint64 mark : m_marks)
        if (mark >= m_from && mark <= m_to)
            painter.drawLine(QPointF(xOf(double(mark)), area.bottom()), QPointF(xOf(double(mark)), area.bottom() - 6));
    for (const Limit& limit : m_limits) {
        if (limit.value > m_top)
            continue;
        painter.setPen(QPen(m_theme.severity(limit.severity), 1, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), yOf(limit.value)), QPointF(area.right(), yOf(limit.value)));
    }
}

void TimeSeriesView::drawCrosshair(QPainter& painter) const {
    if (!m_crosshair || *m_crosshair < m_from || *m_crosshair > m_to)
        return;
    const ThemeColors& c = m_theme.colors();
    const QRectF area = plot();
    const double x = xOf(double(*m_crosshair));
    painter.setPen(QPen(c.muted, 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    std::vector<std::pair<double, const Series*>> values;
    for (const Series& series : m_series)
        if (const auto value = valueAt(series.points, *m_crosshair))
            values.emplace_back(*value, &series);
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    if (values.size() > 8)
        values.resize(8);
    const int line = fontMetrics().height();
    const QString time = clockText(Instant(*m_crosshair));
    int width = fontMetrics().horizontalAdvance(time);
    QStringList texts;
    for (const auto& [value, series] : values) {
        texts.append(QStringLiteral("%1  %2").arg(series->name, axisText(value, m_unit)));
        width = std::max(width, fontMetrics().horizontalAdvance(texts.back()) + 14);
    }
    QRectF box(x + 10, area.top() + 4, width + 16, line * double(texts.size() + 1) + 8);
    if (box.right() > area.right())
        box.moveRight(x - 10);
    painter.setBrush(c.surface);
    painter.setPen(QPen(c.line, 1));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(c.muted);
    painter.drawText(QRectF(box.left() + 8, box.top() + 4, width, line), Qt::AlignLeft, time);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const double top = box.top() + 4 + line * double(i + 1);
        painter.fillRect(QRectF(box.left() + 8, top + line / 2.0 - 4, 8, 8), colorOf(*values[std::size_t(i)].second));
        painter.setPen(c.text);
        painter.drawText(QRectF(box.left() + 22, top, width, line), Qt::AlignLeft, texts[i]);
        painter.setPen(QPen(c.surface, 1));
        painter.setBrush(colorOf(*values[std::size_t(i)].second));
        painter.drawEllipse(QPointF(x, yOf(values[std::size_t(i)].first)), 3.5, 3.5);
    }
}

void TimeSeriesView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    showAxes();
}

void TimeSeriesView::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, m_theme.colors().surface);
    if (isEmpty())
        return;
    drawBands(*painter);
}

void TimeSeriesView::drawForeground(QPainter* painter, const QRectF&) {
    const ThemeColors& c = m_theme.colors();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter->setFont(bold);
    painter->setPen(c.text);
    painter->drawText(QRect(0, 0, width(), withText(font(), kTitle)), Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(bold).elidedText(m_title, Qt::ElideRight, width()));
    painter->setFont(font());
    if (isEmpty()) {
        painter->setPen(c.muted);
        painter->drawText(plot(), Qt::AlignCenter | Qt::TextWordWrap,
                          m_reason.isEmpty() ? tr("no data yet") : m_reason);
        return;
    }
    drawLonePoints(*painter);
    drawLimitsAndMarks(*painter);
    if (m_stale) {
        QRectF edge = plot();
        edge.setLeft(edge.right() - edge.width() * 0.06);
        painter->fillRect(edge, QBrush(c.unknown, Qt::BDiagPattern));
    }
    if (m_brushFrom) {
        QColor soft = c.accent;
        soft.setAlphaF(0.2f);
        painter->fillRect(QRectF(QPointF(*m_brushFrom, plot().top()), QPointF(m_brushTo, plot().bottom())).normalized(),
                          soft);
    }
    drawCrosshair(*painter);
}

void TimeSeriesView::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (m_brushFrom) {
        m_brushTo = x;
        redraw();
    }
    setCrosshair(timeAt(x));
    Q_EMIT crosshairMoved(m_crosshair);
}

void TimeSeriesView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m_brushFrom = m_brushTo = event->position().x();
}

void TimeSeriesView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_brushFrom)
        return;
    const double from = std::min(*m_brushFrom, event->position().x());
    const double to = std::max(*m_brushFrom, event->position().x());
    m_brushFrom.reset();
    redraw();
    if (to - from < kLeastBrush)
        Q_EMIT pinned(timeAt(to));
    else
        Q_EMIT rangeBrushed(timeAt(from), timeAt(to));
}

void TimeSeriesView::leaveEvent(QEvent*) {
    setCrosshair(std::nullopt);
    Q_EMIT crosshairMoved(std::nullopt);
}

} // namespace fremis::console::ui
