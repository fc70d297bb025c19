#include "tests/contract/documents.h"

#include "tests/support/app_process.h"

#include <QFile>
#include <QProcess>

namespace fremis::test {

QString pageText(const QString& path) {
    QFile file(QStringLiteral(FREMIS_SOURCE_DIR "/") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

std::vector<FencedBlock> fencedBlocks(const QString& text) {
    const auto fence = QStringLiteral("```");
    std::vector<FencedBlock> blocks;
    bool inside = false;
    int number = 0;
    for (const auto& line : text.split(QLatin1Char('\n'))) {
        ++number;
        if (line.startsWith(fence)) {
            if (!inside) {
                const auto words = line.mid(fence.size()).split(QLatin1Char(' '), Qt::SkipEmptyParts);
                blocks.push_back({words.value(0), words.value(1), {}, number});
            }
            inside = !inside;
        } else if (inside) {
            blocks.back().text += line + QLatin1Char('\n');
        }
    }
    return blocks;
}

std::vector<QStringList> tableRows(const QString& text, const QString& heading) {
    std::vector<QStringList> rows;
    bool inside = false;
    for (const auto& line : text.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1Char('#')))
            inside = line.endsWith(QLatin1Char(' ') + heading);
        if (!inside || !line.startsWith(QLatin1Char('|')) || line.startsWith(QStringLiteral("| ---")))
            continue;
        QStringList cells;
        for (const auto& cell : line.mid(1).split(QLatin1Char('|')))
            cells << cell.trimmed().remove(QLatin1Char('`'));
        rows.push_back(cells);
    }
    if (!rows.empty())
        rows.erase(rows.begin());
    return rows;
}

QString appOutput(const QStringList& arguments) {
    QProcess process;
    process.start(QString::fromStdString(appBinary()), arguments);
    if (!process.waitForFinished(20'000) || process.exitCode() != 0)
        return {};
    return QString::fromUtf8(process.readAllStandardOutput());
}

} // namespace fremis::test
