#include "console/models/routing_words.h"

#include <QCoreApplication>

namespace fremis::console {

QString sentenceOf(const routing::Wording& wording) {
    if (wording.pattern().empty())
        return QString::fromStdString(wording.value());
    const std::string pattern(wording.pattern());
    const QString translated = QCoreApplication::translate("Routing", pattern.c_str());
    QString text;
    for (qsizetype i = 0; i < translated.size(); ++i) {
        const int place =
            translated[i] == QLatin1Char('%') && i + 1 < translated.size() ? translated[i + 1].unicode() - u'1' : -1;
        if (place < 0 || place >= int(wording.values().size())) {
            text += translated[i];
            continue;
        }
        text += sentenceOf(wording.values()[std::size_t(place)]);
        ++i;
    }
    return text;
}

} // namespace fremis::console
