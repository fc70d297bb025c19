#pragma once

#include <QString>
#include <QStringList>

#include <vector>

/// The project's pages as the tests read them. Paths are relative to the source tree.
namespace fremis::test {

/// A fenced block of a Markdown page: ```language kind.
struct FencedBlock {
    QString language;
    QString kind; ///< the word after the language, or empty
    QString text;
    int line = 0; ///< of the opening fence, from 1
};

/// All of a file; empty when it is missing.
[[nodiscard]] QString pageText(const QString& path);
[[nodiscard]] std::vector<FencedBlock> fencedBlocks(const QString& text);
/// The cells of the table rows after the heading `heading` up to the next heading, header row left out; code marks
/// removed.
[[nodiscard]] std::vector<QStringList> tableRows(const QString& text, const QString& heading);
/// What `fremis_n_app` prints on standard output when it is run with the arguments and ends with exit code 0.
[[nodiscard]] QString appOutput(const QStringList& arguments);

} // namespace fremis::test
