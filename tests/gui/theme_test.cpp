#include "tests/gui/console_fixture.h"

#include <array>
#include <cmath>

using namespace fremis::console::ui;

namespace {

using Linear = std::array<double, 3>;
using Matrix = std::array<Linear, 3>;

// Machado, Oliveira, Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
// severity 1.0.
constexpr Matrix kProtan = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

Linear linear(const QColor& color) {
    const auto channel = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return {channel(color.redF()), channel(color.greenF()), channel(color.blueF())};
}

Linear seen(const Matrix& matrix, const Linear& rgb) {
    Linear result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i)
            result[row] += matrix[row][i] * rgb[i];
    for (double& channel : result)
        channel = std::clamp(channel, 0.0, 1.0);
    return result;
}

Linear lab(const Linear& rgb) {
    const double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047;
    const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    const double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

/// CIE 1976 colour difference.
double difference(const Linear& a, const Linear& b) {
    const Linear first = lab(a);
    const Linear second = lab(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

} // namespace

class ThemeTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsReadable_data();
    void textIsReadable();
    void inkReadsOnEveryNodeFill();
    void nodeFillsStayApartForColourBlindEyes_data();
    void nodeFillsStayApartForColourBlindEyes();
    void theEleventhNodeIsHatched();
    void warningsAreNeverRed();
    void aChangeOfTheDesktopCountsOnlyInSystemMode();
};

void ThemeTest::textIsReadable_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ThemeTest::textIsReadable() {
    QFETCH(bool, dark);
    const ThemeColors& c = Theme::colorsOf(dark);
    for (const QColor& back : {c.surface, c.window, c.raised}) {
        QCOMPARE_GE(contrastRatio(c.text, back), 7.0);
        QCOMPARE_GE(contrastRatio(c.muted, back), 4.5);
        for (const QColor& status : {c.ok, c.info, c.warning, c.critical, c.unknown})
            QCOMPARE_GE(contrastRatio(status, back), 4.5);
    }
    for (const QColor& status : {c.ok, c.info, c.warning, c.critical, c.unknown})
        QCOMPARE_GE(contrastRatio(status, c.surface), 5.0);
    QCOMPARE_GE(contrastRatio(c.accent, c.surface), 3.0);
    QCOMPARE_GE(contrastRatio(c.outline, c.surface), 3.0);
    QCOMPARE_GE(contrastRatio(c.accentInk, c.accent), 4.5);
    QCOMPARE_GE(contrastRatio(c.text, c.accentSoft), 7.0);
    Theme theme;
    theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
    for (const auto severity : {Severity::Ok, Severity::Info, Severity::Warning, Severity::Critical, Severity::Unknown})
        QCOMPARE_GE(contrastRatio(theme.severity(severity), theme.tint(severity)), 4.5);
}

void ThemeTest::inkReadsOnEveryNodeFill() {
    for (int node = 0; node < Theme::kNodeFills; ++node) {
        const NodeFill fill = Theme::nodeFill(node);
        QVERIFY2(contrastRatio(fill.ink, fill.fill) >= 5.0, qPrintable(fill.fill.name()));
        QVERIFY(!fill.hatched);
    }
}

void ThemeTest::nodeFillsStayApartForColourBlindEyes_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("protanopia") << 0;
    QTest::newRow("deuteranopia") << 1;
}

void ThemeTest::nodeFillsStayApartForColourBlindEyes() {
    QFETCH(int, kind);
    const Matrix& matrix = kind == 0 ? kProtan : kDeutan;
    for (int a = 0; a < Theme::kNodeFills; ++a)
        for (int b = a + 1; b < Theme::kNodeFills; ++b) {
            const double apart = difference(seen(matrix, linear(Theme::nodeFill(a).fill)),
                                            seen(matrix, linear(Theme::nodeFill(b).fill)));
            QVERIFY2(apart >= 14, qPrintable(QStringLiteral("%1 and %2: %3").arg(a).arg(b).arg(apart)));
        }
}

void ThemeTest::theEleventhNodeIsHatched() {
    QVERIFY(Theme::nodeFill(10).hatched);
    QCOMPARE(Theme::nodeFill(10).fill, Theme::nodeFill(0).fill);
}

void ThemeTest::warningsAreNeverRed() {
    for (const bool dark : {false, true}) {
        const int hue = Theme::colorsOf(dark).warning.hue();
        QVERIFY2(hue > 25 && hue < 60, qPrintable(QString::number(hue)));
    }
}

void ThemeTest::aChangeOfTheDesktopCountsOnlyInSystemMode() {
    Theme theme;
    int changes = 0;
    connect(&theme, &Theme::changed, this, [&changes] { ++changes; });
    theme.setSystemDark(true);
    QVERIFY(theme.isDark());
    QCOMPARE(changes, 1);
    theme.setMode(Theme::Mode::Light);
    QVERIFY(!theme.isDark());
    theme.setSystemDark(false);
    theme.setSystemDark(true);
    QVERIFY(!theme.isDark());
    QCOMPARE(changes, 2);
}

FREMIS_GUI_MAIN(ThemeTest)
#include "theme_test.moc"
