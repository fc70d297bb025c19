#include "console/client/curl_text.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace fremis::console {

using namespace Qt::StringLiterals;

namespace {

/// Stands for the picture of a number, until the shell puts it in.
QString placeholder(int picture) {
    return u"@@IMAGE%1@@"_s.arg(picture);
}

/// The shell's name of the file: IMAGE, IMAGE2.
QString fileVariable(int picture) {
    return picture == 1 ? u"IMAGE"_s : u"IMAGE%1"_s.arg(picture);
}

/// One argument of a POSIX shell.
QString shellWord(const QString& text) {
    return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\'';
}

/// Puts placeholders where pictures are, however deep. Returns how many there are, `before` included.
int cutPictures(QJsonObject& object, int before = 0) {
    int pictures = before;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it->isObject()) {
            auto inner = it->toObject();
            const int found = cutPictures(inner, pictures);
            if (found > pictures)
                it.value() = inner;
            pictures = found;
        } else if ((it.key() == "image"_L1 || it.key() == "content"_L1) && it->isString()) {
            it.value() = placeholder(++pictures);
        }
    }
    return pictures;
}

struct ShellBody {
    QString word;
    int pictures = 0;
};

/// The body as a shell word; pictures become base64 of the files that $IMAGE and $IMAGE2 name.
ShellBody shellBody(const QByteArray& body) {
    auto object = QJsonDocument::fromJson(body).object();
    ShellBody shell;
    shell.pictures = cutPictures(object);
    const auto text = shell.pictures > 0 ? QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact))
                                         : QString::fromUtf8(body);
    shell.word = shellWord(text);
    for (int picture = 1; picture <= shell.pictures; ++picture)
        shell.word.replace(placeholder(picture), u"'\"$(base64 -w0 \"$%1\")\"'"_s.arg(fileVariable(picture)));
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
    for (int picture = 1; picture <= body.pictures; ++picture)
        text += fileVariable(picture) + (picture == 1 ? u"=face.jpg\n"_s : u"=face%1.jpg\n"_s.arg(picture));
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
