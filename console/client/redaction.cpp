#include "console/client/redaction.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kLeastPicture = 256; ///< base64 shorter than that is no photo
constexpr qsizetype kLeastEmbedding = 32;
const auto kHidden = u"<hidden>"_s;

bool isSecretKey(const QString& key) {
    static const QRegularExpression secret(u"secret|password|passwd|authorization|token|access_key|api_?key"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    return secret.match(key).hasMatch();
}

bool isBase64(const QString& text) {
    static const QRegularExpression base64(u"^(data:[a-z/+.-]+;base64,)?[A-Za-z0-9+/_\\-\\s]+={0,2}\\s*$"_s);
    return text.size() >= kLeastPicture && base64.match(text).hasMatch();
}

QString pictureText(qsizetype characters) {
    return u"<base64 %1 kB>"_s.arg((characters * 3 / 4 + 999) / 1000);
}

QJsonValue shown(const QJsonValue& value);

QJsonValue shownList(const QJsonArray& list) {
    const bool isNumbers = list.size() >= kLeastEmbedding &&
                           std::all_of(list.begin(), list.end(), [](const QJsonValue& one) { return one.isDouble(); });
    if (isNumbers)
        return u"<%1 numbers>"_s.arg(list.size());
    QJsonArray cut;
    for (const auto& one : list)
        cut.append(shown(one));
    return cut;
}

/// However short: that is where the API has them.
bool isPictureKey(const QString& key) {
    return key == "image"_L1 || key == "content"_L1;
}

QJsonObject shownObject(const QJsonObject& object) {
    QJsonObject cut;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (isSecretKey(it.key()))
            cut.insert(it.key(), kHidden);
        else if (isPictureKey(it.key()) && it->isString())
            cut.insert(it.key(), pictureText(it->toString().size()));
        else
            cut.insert(it.key(), shown(it.value()));
    }
    return cut;
}

QJsonValue shown(const QJsonValue& value) {
    if (value.isObject())
        return shownObject(value.toObject());
    if (value.isArray())
        return shownList(value.toArray());
    if (value.isString() && isBase64(value.toString()))
        return pictureText(value.toString().size());
    return value;
}

} // namespace

QString redacted(const QString& text) {
    static const QRegularExpression header(u"(authorization\"?\\s*[:=]\\s*\"?)[^\"\\r\\n]+"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression pair(
        u"((?:secret|password|passwd|api)[_-]?(?:access)?[_-]?(?:key)?\"?\\s*[:=]\\s*\"?)[^\\s\",;&]+"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression signature(u"(Signature=)[0-9a-fA-F]{16,}"_s);
    static const QRegularExpression credentials(u"(://)[^/@\\s:]+(:[^/@\\s]*)?@"_s);
    static const QRegularExpression picture(u"[A-Za-z0-9+/]{%1,}={0,2}"_s.arg(kLeastPicture));
    QString safe = text;
    safe.replace(header, u"\\1"_s + kHidden);
    safe.replace(pair, u"\\1"_s + kHidden);
    safe.replace(signature, u"\\1"_s + kHidden);
    safe.replace(credentials, u"\\1"_s);
    for (auto match = picture.match(safe); match.hasMatch(); match = picture.match(safe))
        safe.replace(match.capturedStart(), match.capturedLength(), pictureText(match.capturedLength()));
    return safe;
}

QString redactedBody(const QByteArray& body) {
    const auto document = QJsonDocument::fromJson(body);
    if (document.isObject())
        return QString::fromUtf8(QJsonDocument(shownObject(document.object())).toJson());
    return redacted(QString::fromUtf8(body));
}

} // namespace fremis::console
