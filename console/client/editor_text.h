#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace fremis::console {

/// A file's UTF-8 bytes as an editor shows them: without byte order mark, every line break as \n. `isExact` is false
/// for bytes that are not UTF-8; such a text must not be edited, its shown form cannot be turned back.
struct EditorText {
    QString text;
    bool isExact = true;
};
[[nodiscard]] EditorText editorText(const QByteArray& source);

/// The source after an editor has turned `shown` (editorText() of it) into `edited`. Bytes outside the edited stretch
/// stay as they are: byte order mark, line ends, a missing last one. New lines end like the source's first line.
[[nodiscard]] QByteArray sourceAfterEdit(const QByteArray& source, const QString& shown, const QString& edited);

/// A stretch of a three-way merge by lines. Where only one side changed something, or both the same, `mine` has it and
/// `isConflict` is false.
struct MergePart {
    bool isConflict = false;
    QByteArray base;
    QByteArray mine;
    QByteArray theirs; ///< of a conflict
    int line = 0;      ///< where it begins in the base, from 1
};
[[nodiscard]] std::vector<MergePart> mergeParts(const QByteArray& base, const QByteArray& mine,
                                                const QByteArray& theirs);

/// Three-way merge by lines: what `mine` and `theirs` each changed of `base`. Null where both changed the same lines in
/// different ways.
[[nodiscard]] QByteArray mergedText(const QByteArray& base, const QByteArray& mine, const QByteArray& theirs);

} // namespace fremis::console
