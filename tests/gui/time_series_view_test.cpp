#include "console/ui/views/time_series_view.h"
#include "tests/gui/console_fixture.h"

#include <QSignalSpy>

#include <cmath>
#include <limits>

using namespace fremis::console;
using namespace fremis::console::ui;

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr Instant kFrom{1'700'000'000'000};

/// One point a second: `values` in order.
QList<QPointF> pointsOf(const std::vector<double>& values) {
    QList<QPointF> points;
    for (std::size_t i = 0; i < values.size(); ++i)
        points.append({double(kFrom.count()) + 1'000.0 * double(i), values[i]});
    return points;
}

/// Whether a column of the picture, at `part` of the plot's width, has the colour of the line.
bool lineIsSeenAt(const QImage& picture, const QColor& line, double part) {
    constexpr int kRight = 26;
    const int left = 48; // where the plot begins, and how far from the right it ends
    const int x = left + int(part * (picture.width() - left - kRight));
    for (int y = 30; y < picture.height() - 24; ++y) {
        const QColor seen = picture.pixelColor(x, y);
        if (std::abs(seen.red() - line.red()) + std::abs(seen.green() - line.green()) +
                std::abs(seen.blue() - line.blue()) <
            150)
            return true;
    }
    return false;
}

} // namespace

class TimeSeriesViewTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissingSampleIsABreak();
    void aSampleBetweenTwoGapsIsSeen();
    void aLineThatGoesIsGone();
    void theSentenceNamesTheHighestLine();
    void valuesAreReadFromTheNearestPoint();
    void dragChoosesARangeAndClickPins();

private:
    /// The view with one line of node 0, drawn.
    QImage drawn(TimeSeriesView& view, const std::vector<double>& values) {
        view.resize(474, 200);
        view.setCeiling(100);
        view.setData({{QStringLiteral("worker-1"), 0, pointsOf(values), {}}}, kFrom,
                     kFrom + std::chrono::milliseconds(1'000 * (qint64(values.size()) - 1)));
        return view.grab().toImage();
    }

    Theme m_theme;
};

void TimeSeriesViewTest::aMissingSampleIsABreak() {
    TimeSeriesView view(m_theme);
    const QColor line = Theme::nodeFill(0).fill;
    const auto whole = drawn(view, {50, 50, 50, 50, 50});
    for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9})
        QVERIFY(lineIsSeenAt(whole, line, part));
    const auto broken = drawn(view, {50, 50, kGap, 50, 50});
    QVERIFY(lineIsSeenAt(broken, line, 0.1));
    QVERIFY(!lineIsSeenAt(broken, line, 0.4));
    QVERIFY(!lineIsSeenAt(broken, line, 0.6));
    QVERIFY(lineIsSeenAt(broken, line, 0.9));
}

void TimeSeriesViewTest::aSampleBetweenTwoGapsIsSeen() {
    TimeSeriesView view(m_theme);
    QVERIFY(lineIsSeenAt(drawn(view, {kGap, kGap, 50, kGap, kGap}), Theme::nodeFill(0).fill, 0.5));
}

void TimeSeriesViewTest::aLineThatGoesIsGone() {
    TimeSeriesView view(m_theme);
    (void)drawn(view, {50, 50, 50});
    QVERIFY(!lineIsSeenAt(drawn(view, {kGap, kGap, kGap}), Theme::nodeFill(0).fill, 0.5));
    (void)drawn(view, {50, 50, 50});
    view.setReason(QStringLiteral("No worker reports a GPU."));
    QVERIFY(!lineIsSeenAt(view.grab().toImage(), Theme::nodeFill(0).fill, 0.25));
}

void TimeSeriesViewTest::theSentenceNamesTheHighestLine() {
    TimeSeriesView view(m_theme);
    view.setTitle(QStringLiteral("Memory"));
    view.setUnit(QStringLiteral("%"));
    view.setData({{QStringLiteral("worker-1"), 0, pointsOf({10, 20}), {}},
                  {QStringLiteral("worker-2"), 1, pointsOf({60, 71}), {}}},
                 kFrom, kFrom + std::chrono::seconds(1));
    QCOMPARE(view.sentence(), QStringLiteral("Memory worker-2: 71 %, rising"));
    QCOMPARE(view.accessibleDescription(), view.sentence());
}

void TimeSeriesViewTest::valuesAreReadFromTheNearestPoint() {
    const auto points = pointsOf({1, 2, kGap, 4});
    QCOMPARE(TimeSeriesView::valueAt(points, kFrom.count() + 900), std::optional<double>(2));
    QCOMPARE(TimeSeriesView::valueAt(points, kFrom.count() + 2'100), std::nullopt);
    QCOMPARE(TimeSeriesView::valueAt(points, kFrom.count() + 9'000), std::optional<double>(4));
    QCOMPARE(TimeSeriesView::valueAt({}, 0), std::nullopt);
}

void TimeSeriesViewTest::dragChoosesARangeAndClickPins() {
    TimeSeriesView view(m_theme);
    (void)drawn(view, {50, 50, 50, 50, 50});
    QSignalSpy brushed(&view, &TimeSeriesView::rangeBrushed);
    QSignalSpy pinned(&view, &TimeSeriesView::pinned);
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, QPoint(148, 100));
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, QPoint(348, 100));
    QCOMPARE(brushed.size(), 1);
    QCOMPARE(brushed[0][0].toLongLong(), kFrom.count() + 1'000);
    QCOMPARE(brushed[0][1].toLongLong(), kFrom.count() + 3'000);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(248, 100));
    QCOMPARE(pinned.size(), 1);
    QCOMPARE(pinned[0][0].toLongLong(), kFrom.count() + 2'000);
}

FREMIS_GUI_MAIN(TimeSeriesViewTest)
#include "time_series_view_test.moc"
