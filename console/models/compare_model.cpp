#include "console/models/compare_model.h"

#include <QLocale>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// What the second has more than the first, by the values behind the texts.
Cell differenceCell(const Cell& first, const Cell& second) {
    const bool isNumber = first.value.isValid() && second.value.isValid() &&
                          first.value.userType() != QMetaType::QString && first.value.canConvert<double>();
    if (!isNumber) {
        const bool isKnown = first.tone != Tone::Unknown && second.tone != Tone::Unknown;
        if (!isKnown)
            return unknownCell();
        return first.text == second.text ? Cell{CompareModel::tr("same"), {}, Tone::Plain, {}}
                                         : Cell{CompareModel::tr("differs"), {}, Tone::Plain, {}};
    }
    const double difference = second.value.toDouble() - first.value.toDouble();
    const int decimals = difference == static_cast<double>(static_cast<qint64>(difference)) ? 0 : 1;
    auto text = QLocale().toString(difference, 'f', decimals);
    if (difference > 0)
        text.prepend(u'+');
    return {text, difference, Tone::Plain, {}};
}

} // namespace

CompareModel::CompareModel(QObject* parent)
    : RowModel({{"what", {}, false}, {"first", {}, false}, {"second", {}, false}, {"difference", {}, true}}, parent) {}

QList<Column> CompareModel::makeColumns() const {
    return {{"what", tr("What"), false},
            {"first", m_first.isEmpty() ? tr("First") : m_first, false},
            {"second", m_second.isEmpty() ? tr("Second") : m_second, false},
            {"difference", tr("Difference"), true}};
}

void CompareModel::set(const NodeModel& nodes, const QString& first, const QString& second) {
    const int a = nodes.rowOf(first);
    const int b = nodes.rowOf(second);
    std::vector<Row> rows;
    const int name = nodes.columnOf("name");
    m_first = a < 0 ? QString() : nodes.cell(a, name).text;
    m_second = b < 0 ? QString() : nodes.cell(b, name).text;
    for (int column = 0; a >= 0 && b >= 0 && column < nodes.columnCount(); ++column) {
        const auto& [key, title, isNumber] = nodes.columns()[column];
        if (column == name)
            continue;
        const auto& one = nodes.cell(a, column);
        const auto& other = nodes.cell(b, column);
        rows.push_back(
            {QString::fromUtf8(key), {{title, title, Tone::Plain, {}}, one, other, differenceCell(one, other)}, false});
    }
    setTitles(makeColumns());
    setRows(std::move(rows));
}

void CompareModel::retranslate() {
    setTitles(makeColumns());
}

} // namespace fremis::console
