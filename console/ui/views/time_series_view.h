#pragma once

#include "console/client/known.h"
#include "console/ui/shell/theme.h"

#include <QChartView>
#include <QList>
#include <QPointF>

#include <optional>
#include <vector>

class QCategoryAxis;
class QDateTimeAxis;

namespace fremis::console::ui {

/// Lines over time, a QChart. NaN is a gap and stays one; a crosshair is shared by calling setCrosshair on others. Each
/// line is replaced as a whole, once a tick: appending point by point costs a hundred times as much. Thread: GUI.
class TimeSeriesView final : public QChartView {
    Q_OBJECT

public:
    struct Series {
        QString name;
        int node = -1;         ///< its colour; -1: the accent
        QList<QPointF> points; ///< x = milliseconds since 1970
        QList<QPointF> upper;  ///< with `points` the edges of a band; may be empty
    };
    struct Limit {
        double value;
        Severity severity;
    };

    explicit TimeSeriesView(const Theme& theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// `unit` follows numbers: "%", "ms".
    void setUnit(const QString& unit) { m_unit = unit; }
    /// Fixed upper end, as 100 for percentages; nothing: as high as the data.
    void setCeiling(std::optional<double> ceiling) { m_ceiling = ceiling; }
    void setLimits(std::vector<Limit> limits) { m_limits = std::move(limits); }
    void setMarks(QList<qint64> times) { m_marks = std::move(times); } ///< events, as ticks
    void setData(std::vector<Series> series, Instant from, Instant to);
    /// Why there is nothing to draw.
    void setReason(const QString& reason);
    void setStale(bool stale);
    void setCrosshair(std::optional<qint64> time);
    [[nodiscard]] const std::vector<Series>& series() const { return m_series; }
    /// One sentence: the newest value of the highest line, and its trend.
    [[nodiscard]] QString sentence() const;
    /// Value of a line at a time, of the nearest point within the line's step; nothing in a gap.
    [[nodiscard]] static std::optional<double> valueAt(const QList<QPointF>& points, qint64 time);
    [[nodiscard]] QSize sizeHint() const override { return {420, 190}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 110}; }

Q_SIGNALS:
    void crosshairMoved(std::optional<qint64> time);
    void pinned(qint64 time);
    void rangeBrushed(qint64 from, qint64 to);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] bool isEmpty() const { return !m_reason.isEmpty() || m_series.empty(); }
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(double time) const;
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] qint64 timeAt(double x) const;
    [[nodiscard]] QColor colorOf(const Series& series) const;
    void applyTheme();
    void showLines();
    void showAxes();
    void showValueLabels();
    void redraw();
    void drawBands(QPainter& painter) const;
    void drawLonePoints(QPainter& painter) const;
    void drawLimitsAndMarks(QPainter& painter) const;
    void drawCrosshair(QPainter& painter) const;
    void rescale();

    const Theme& m_theme;
    QDateTimeAxis* m_times;
    QCategoryAxis* m_values;
    QString m_title;
    QString m_unit;
    QString m_reason;
    std::vector<Series> m_series;
    std::vector<Limit> m_limits;
    QList<qint64> m_marks;
    std::optional<double> m_ceiling;
    double m_top = 1;
    qint64 m_from = 0;
    qint64 m_to = 1;
    bool m_stale = false;
    std::optional<qint64> m_crosshair;
    std::optional<double> m_brushFrom;
    double m_brushTo = 0;
};

} // namespace fremis::console::ui
