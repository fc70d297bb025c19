#include "console/client/editor_text.h"

#include "console/client/text_diff.h"

#include <QList>

#include <algorithm>
#include <optional>
#include <vector>

namespace fremis::console {

namespace {

const QByteArray kMark("\xEF\xBB\xBF");

qsizetype utf8Length(const QChar& unit) {
    const auto code = unit.unicode();
    if (code < 0x80)
        return 1;
    if (code < 0x800)
        return 2;
    return unit.isSurrogate() ? 2 : 3; // a pair of surrogates takes four bytes
}

/// Bytes of `source` that show as the first `units` UTF-16 units of `shown`.
qsizetype sourceOffset(const QByteArray& source, const QString& shown, qsizetype units) {
    qsizetype offset = source.startsWith(kMark) ? kMark.size() : 0;
    for (qsizetype unit = 0; unit < units; ++unit) {
        const bool isBreak = shown[unit] == QLatin1Char('\n');
        const bool isPair =
            isBreak && offset + 1 < source.size() && source[offset] == '\r' && source[offset + 1] == '\n';
        offset += isPair ? 2 : utf8Length(shown[unit]);
    }
    return offset;
}

QByteArray lineBreakOf(const QByteArray& source) {
    const auto first = source.indexOf('\n');
    return first > 0 && source[first - 1] == '\r' ? QByteArray("\r\n") : QByteArray("\n");
}

/// Lines with their ends.
std::vector<QByteArray> linesOf(const QByteArray& text) {
    std::vector<QByteArray> lines;
    for (qsizetype at = 0; at < text.size();) {
        const auto end = text.indexOf('\n', at);
        const auto next = end < 0 ? text.size() : end + 1;
        lines.push_back(text.mid(at, next - at));
        at = next;
    }
    return lines;
}

/// Lines first..last-1 of the base give way to `lines`.
struct Hunk {
    std::size_t first = 0;
    std::size_t last = 0;
    std::vector<QByteArray> lines;
    bool operator==(const Hunk&) const = default;
    [[nodiscard]] bool touches(const Hunk& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Hunk> hunksOf(const QByteArray& base, const QByteArray& edited) {
    std::vector<Hunk> hunks;
    const auto after = linesOf(edited);
    std::size_t line = 0;
    bool isOpen = false;
    for (const DiffLine& row : diffLines(base, edited)) {
        if (row.kind == DiffLine::Kind::Same) {
            ++line;
            isOpen = false;
            continue;
        }
        if (!isOpen)
            hunks.push_back({line, line, {}});
        isOpen = true;
        if (row.kind == DiffLine::Kind::Removed)
            hunks.back().last = ++line;
        else
            hunks.back().lines.push_back(after[static_cast<std::size_t>(row.after - 1)]);
    }
    return hunks;
}

/// The lines `first` to `last` of the base as one side has them.
QByteArray sideOf(const std::vector<QByteArray>& base, const std::vector<Hunk>& hunks, std::size_t first,
                  std::size_t last) {
    QByteArray side("");
    std::size_t line = first;
    for (const Hunk& hunk : hunks) {
        if (hunk.first < first || hunk.last > last)
            continue;
        for (; line < hunk.first; ++line)
            side += base[line];
        for (const QByteArray& added : hunk.lines)
            side += added;
        line = hunk.last;
    }
    for (; line < last; ++line)
        side += base[line];
    return side;
}

QByteArray textOf(const std::vector<QByteArray>& lines, std::size_t first, std::size_t last) {
    return sideOf(lines, {}, first, last);
}

} // namespace

EditorText editorText(const QByteArray& source) {
    const auto start = source.startsWith(kMark) ? kMark.size() : 0;
    EditorText shown;
    shown.text = QString::fromUtf8(source.mid(start));
    // Lone carriage returns and paragraph separators become line ends in an editor and cannot be told apart again.
    shown.text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    shown.isExact =
        source.isValidUtf8() && !shown.text.contains(QLatin1Char('\r')) && !shown.text.contains(QChar(0x2029));
    return shown;
}

QByteArray sourceAfterEdit(const QByteArray& source, const QString& shown, const QString& edited) {
    const auto shorter = std::min(shown.size(), edited.size());
    qsizetype head = 0;
    while (head < shorter && shown[head] == edited[head])
        ++head;
    if (head > 0 && shown[head - 1].isHighSurrogate())
        --head;
    qsizetype tail = 0;
    while (tail < shorter - head && shown[shown.size() - 1 - tail] == edited[edited.size() - 1 - tail])
        ++tail;
    if (tail > 0 && shown[shown.size() - tail].isLowSurrogate())
        --tail;
    const auto begin = sourceOffset(source, shown, head);
    const auto end = sourceOffset(source, shown, shown.size() - tail);
    QByteArray inserted = edited.mid(head, edited.size() - head - tail).toUtf8();
    inserted.replace("\n", lineBreakOf(source));
    return source.left(begin) + inserted + source.mid(end);
}

std::vector<MergePart> mergeParts(const QByteArray& base, const QByteArray& mine, const QByteArray& theirs) {
    const auto lines = linesOf(base);
    const auto ours = hunksOf(base, mine);
    const auto others = hunksOf(base, theirs);
    std::vector<Hunk> all = ours;
    all.insert(all.end(), others.begin(), others.end());
    std::stable_sort(all.begin(), all.end(), [](const Hunk& a, const Hunk& b) { return a.first < b.first; });
    std::vector<MergePart> parts;
    std::size_t line = 0;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t first = all[at].first;
        std::size_t last = all[at].last;
        for (++at; at < all.size() && all[at].first <= last; ++at)
            last = std::max(last, all[at].last);
        if (first > line)
            parts.push_back({false, {}, textOf(lines, line, first), {}, int(line) + 1});
        MergePart part{false, textOf(lines, first, last), sideOf(lines, ours, first, last),
                       sideOf(lines, others, first, last), int(first) + 1};
        if (part.mine == part.base)
            part.mine = part.theirs; // only they changed it
        else
            part.isConflict = part.theirs != part.base && part.theirs != part.mine;
        parts.push_back(std::move(part));
        line = last;
    }
    if (line < lines.size())
        parts.push_back({false, {}, textOf(lines, line, lines.size()), {}, int(line) + 1});
    return parts;
}

QByteArray mergedText(const QByteArray& base, const QByteArray& mine, const QByteArray& theirs) {
    QByteArray merged("");
    for (const MergePart& part : mergeParts(base, mine, theirs)) {
        if (part.isConflict)
            return {};
        merged += part.mine;
    }
    return merged;
}

} // namespace fremis::console
