#include "console/client/curl_text.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

const auto kPlaceholder = u"@@IMAGE@@"_s;

/// One argument of a POSIX shell.
QString shellWord(const QString& text) {
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

/// Puts a placeholder where a picture is, however deep. True when there was one.
bool cutPictures(QJsonObject& object) {
    bool found = false;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it->isObject()) {
            auto inner = it->toObject();
            if (cutPictures(inner)) {
                it.value() = inner;
                found = true;
            }
        } else if ((it.key() == "image"_L1 || it.key() == "content"_L1) && it->isString()) {
            it.value() = kPlaceholder;
            found = true;
        }
    }
    return found;
}

struct ShellBody {
    QString word;
    bool hasImage = false;
};

/// The body as a shell word; pictures become base64 of the file that $IMAGE names.
ShellBody shellBody(const QByteArray& body) {
    auto object = QJsonDocument::fromJson(body).object();
    ShellBody shell;
    shell.hasImage = cutPictures(object);
    const auto text = shell.hasImage ? QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact))
                                     : QString::fromUtf8(body);
    shell.word = shellWord(text).replace(kPlaceholder, u"'\"$(base64 -w0 \"$IMAGE\")\"'"_s);
    return shell;
}

/// Lines that leave the Authorization header in $authorization. The secret reaches the signer by the environment alone.
QString signing(const QString& method, const QUrl& url, const QString& accessKey) {
    auto query = url.query(QUrl::FullyEncoded).split(u'&', Qt::SkipEmptyParts);
    query.sort();
    const QStringList lines{u"FREMISN-HMAC-SHA256"_s, method, url.path(QUrl::FullyEncoded), query.join(u'&')};
    const auto script = u"import hashlib, hmac, os, secrets, sys, time\n"
                        "now, nonce = str(int(time.time())), secrets.token_hex(16)\n"
                        "digest = hashlib.sha256(sys.stdin.buffer.read()).hexdigest()\n"
                        "lines = sys.argv[1:5] + [now, nonce, digest]\n"
                        "key = os.environ[\"FREMIS_SECRET_KEY\"].encode()\n"
                        "mac = hmac.new(key, \"\\n\".join(lines).encode(), \"sha256\").hexdigest()\n"
                        "print(f\"FREMISN-HMAC-SHA256 Credential={sys.argv[5]}, Timestamp={now}, \"\n"
                        "      f\"Nonce={nonce}, Signature={mac}\")"_s;
    QStringList words{shellWord(script)};
    for (const auto& line : lines)
        words.append(shellWord(line));
    words.append(shellWord(accessKey));
    return u"export FREMIS_SECRET_KEY\nauthorization=$(printf %s \"$body\" | python3 -c "_s + words.join(u' ') +
           u")\n"_s;
}

} // namespace

QString curlText(const QUrl& base, const ClusterClient::RawCall& call, const QString& accessKey) {
    const auto url = urlOf(base, call);
    const auto method = QString::fromLatin1(call.method);
    const bool isSigned = !accessKey.isEmpty();
    QString text;
    const auto body = shellBody(call.body);
    if (body.hasImage)
        text += u"IMAGE=face.jpg\n"_s;
    if (isSigned || !call.body.isEmpty())
        text += u"body="_s + body.word + u'\n';
    if (isSigned)
        text += signing(method, url, accessKey);
    if (!call.body.isEmpty())
        text += u"printf %s \"$body\" | "_s;
    text += u"curl -sS -X "_s + method;
    if (isSigned)
        text += u" -H \"Authorization: $authorization\""_s;
    for (const auto& [name, value] : call.headers)
        text += u" -H "_s + shellWord(QString::fromLatin1(name + ": " + value));
    if (!call.body.isEmpty())
        text += u" -H 'Content-Type: application/json' --data-binary @-"_s;
    return text + u' ' + shellWord(QString::fromLatin1(url.toEncoded())) + u'\n';
}

} // namespace fremis::console
