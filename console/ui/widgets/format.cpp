#include "console/ui/widgets/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <array>
#include <cmath>

namespace fremis::console::ui {
namespace {

struct Format {
    Q_DECLARE_TR_FUNCTIONS(fremis::console::ui::Format)
};

QString scaled(double value, const std::array<const char*, 5>& units, double step) {
    std::size_t unit = 0;
    while (std::abs(value) >= step && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    const int decimals = unit > 0 && std::abs(value) < 10 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals) + QLatin1String(units[unit]);
}

} // namespace

QString unknownText() {
    return QStringLiteral("–");
}

QString numberText(std::int64_t value) {
    return QLocale().toString(qlonglong(value));
}

QString decimalText(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

QString shortNumberText(std::int64_t value) {
    if (std::abs(value) < 10'000)
        return numberText(value);
    return scaled(double(value), {"", "k", "M", "G", "T"}, 1000);
}

QString percentText(std::optional<double> percent, int decimals) {
    return percent ? Format::tr("%1 %").arg(decimalText(*percent, decimals)) : unknownText();
}

QString bytesText(std::optional<std::int64_t> bytes) {
    if (!bytes)
        return unknownText();
    return QLocale().formattedDataSize(*bytes, *bytes < 1024 ? 0 : 1, QLocale::DataSizeIecFormat);
}

QString durationText(std::chrono::milliseconds duration) {
    const qint64 seconds = std::max<qint64>(0, duration.count() / 1000);
    if (seconds < 120)
        return Format::tr("%1 s").arg(seconds);
    const qint64 minutes = seconds / 60;
    if (minutes < 60)
        return Format::tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return minutes % 60 == 0 ? Format::tr("%1 h").arg(minutes / 60)
                                 : Format::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
    return Format::tr("%1 d").arg(minutes / (24 * 60));
}

QString ageText(std::chrono::milliseconds age) {
    return age.count() < 1000 ? Format::tr("just now") : Format::tr("%1 ago").arg(durationText(age));
}

QString latencyText(std::optional<double> milliseconds) {
    if (!milliseconds)
        return unknownText();
    return Format::tr("%1 ms").arg(decimalText(*milliseconds, *milliseconds < 10 ? 1 : 0));
}

QString clockText(std::chrono::milliseconds sinceEpoch) {
    return QDateTime::fromMSecsSinceEpoch(sinceEpoch.count()).toString(QStringLiteral("HH:mm:ss"));
}

} // namespace fremis::console::ui
