#pragma once

#include "tests/support/app_process.h"
#include "tests/support/face_client.h"
#include "tests/support/photos.h"
#include "tests/support/server_under_test.h"

#include <QtTest>

/// What the contract tests share.
namespace fremis::test {

inline double similarityOf(const Answer& answer) {
    return answer.body.value(QStringLiteral("face_match")).toObject().value(QStringLiteral("similarity")).toDouble(-1);
}

inline QStringList textsOf(const QJsonArray& objects, const char* member) {
    QStringList texts;
    for (const auto& object : objects)
        texts << object.toObject().value(QString::fromUtf8(member)).toString();
    return texts;
}

inline QStringList idsOf(const QJsonArray& candidates) {
    return textsOf(candidates, "face_id");
}

inline QStringList variationsOf(const Answer& face) {
    return textsOf(face.array("variations"), "variation");
}

} // namespace fremis::test

/// The call answers 200. Each macro makes the call once.
#define VERIFY_OK(call)                                                                                                \
    do {                                                                                                               \
        const auto& verified = (call);                                                                                 \
        QVERIFY2(verified.status == 200, verified.shown().constData());                                                \
    } while (false)
/// The call answers this status and this error token.
#define VERIFY_ERROR(call, wantedStatus, token)                                                                        \
    do {                                                                                                               \
        const auto& verified = (call);                                                                                 \
        QVERIFY2(verified.status == (wantedStatus) && verified.error() == QString::fromUtf8(token),                    \
                 verified.shown().constData());                                                                        \
    } while (false)

/// In initTestCase(): the ServerUnderTest `server` becomes a running one, ready to work with the default model pack.
#define FREMIS_START_SERVER(server)                                                                                    \
    do {                                                                                                               \
        FREMIS_NEEDS_FETCHED_DATA(fremis::test::photo("jesper.jpg") && fremis::test::modelPack("fp-mfn512"));          \
        auto started = fremis::test::ServerUnderTest::startReady();                                                    \
        QVERIFY2(started, started ? "" : started.error().detail.c_str());                                              \
        (server) = std::move(*started);                                                                                \
    } while (false)

/// In cleanupTestCase(): SIGTERM ends `server` with exit code 0.
#define FREMIS_STOP_SERVER(server)                                                                                     \
    do {                                                                                                               \
        if (!(server))                                                                                                 \
            return;                                                                                                    \
        QCOMPARE((server)->stop().value_or(-1), 0);                                                                    \
    } while (false)
