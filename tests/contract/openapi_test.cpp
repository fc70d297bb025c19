// The routes that the binary lists, the OpenAPI document and the API guide name the same methods and paths.
#include "tests/contract/documents.h"
#include "tests/support/app_process.h"
#include "tests/support/http_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace fremis::test;

class OpenapiTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void documentIsOpenApi31();
    void routesOfTheBinaryAreTheDocuments_data();
    void routesOfTheBinaryAreTheDocuments();
    void routesOfTheGuideAreTheDocuments_data();
    void routesOfTheGuideAreTheDocuments();
    void everyReferenceLeadsSomewhere();
    void everyOperationHasAnExampleAndItsErrors();
    void noSuccessHasADescription();
    void errorTokensAreTheServers();
    void theServerServesTheFile();

private:
    QJsonObject m_document;
    QStringList m_workerRoutes;  ///< "METHOD path", sorted
    QStringList m_clusterRoutes; ///< those that a coordinator has and a worker has not
};

namespace {

const QString kFile = QStringLiteral("resources/openapi/openapi.json");

struct Operation {
    QString route;
    QJsonObject value;

    [[nodiscard]] bool isOfACoordinator() const { return value.contains(QStringLiteral("x-fremis-role")); }
};

QStringList sorted(QStringList list) {
    list.sort();
    return list;
}

std::vector<Operation> operationsOf(const QJsonObject& document) {
    std::vector<Operation> operations;
    const auto paths = document.value(QStringLiteral("paths")).toObject();
    for (auto path = paths.begin(); path != paths.end(); ++path) {
        const auto methods = path.value().toObject();
        for (auto method = methods.begin(); method != methods.end(); ++method)
            operations.push_back({method.key().toUpper() + QLatin1Char(' ') + path.key(), method.value().toObject()});
    }
    return operations;
}

/// The value at a "#/a/b" reference; undefined when there is none.
QJsonValue resolve(const QJsonObject& document, const QString& reference) {
    QJsonValue value = document;
    for (const auto& part : reference.mid(2).split(QLatin1Char('/')))
        value = value.toObject().value(part);
    return value;
}

QStringList referencesIn(const QJsonValue& value) {
    QStringList references;
    if (value.isArray())
        for (const auto& entry : value.toArray())
            references << referencesIn(entry);
    const auto object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        if (member.key() == QStringLiteral("$ref"))
            references << member.value().toString();
        else
            references << referencesIn(member.value());
    }
    return references;
}

QJsonObject jsonContent(const QJsonObject& message) {
    return message.value(QStringLiteral("content")).toObject().value(QStringLiteral("application/json")).toObject();
}

} // namespace

void OpenapiTest::initTestCase() {
    QJsonParseError error{};
    m_document = QJsonDocument::fromJson(pageText(kFile).toUtf8(), &error).object();
    QCOMPARE(error.errorString(), QStringLiteral("no error occurred"));
    for (const auto& operation : operationsOf(m_document))
        (operation.isOfACoordinator() ? m_clusterRoutes : m_workerRoutes) << operation.route;
    m_workerRoutes.sort();
    m_clusterRoutes.sort();
    QVERIFY(m_workerRoutes.size() > 10);
    QVERIFY(m_clusterRoutes.size() > 5);
}

void OpenapiTest::documentIsOpenApi31() {
    QVERIFY(m_document.value(QStringLiteral("openapi")).toString().startsWith(QStringLiteral("3.1.")));
    const auto info = m_document.value(QStringLiteral("info")).toObject();
    QCOMPARE(info.value(QStringLiteral("version")).toString(), QStringLiteral(FREMIS_VERSION));
    QVERIFY(!info.value(QStringLiteral("title")).toString().isEmpty());
}

void OpenapiTest::routesOfTheBinaryAreTheDocuments_data() {
    QTest::addColumn<QStringList>("routes");
    QTest::newRow("httpserver") << m_workerRoutes;
    QTest::newRow("coordinator") << sorted(m_workerRoutes + m_clusterRoutes);
}

void OpenapiTest::routesOfTheBinaryAreTheDocuments() {
    QFETCH(const QStringList, routes);
    const auto subcommand = QString::fromUtf8(QTest::currentDataTag());
    const auto listed = appOutput({subcommand, QStringLiteral("--print-routes")});
    QCOMPARE(sorted(listed.split(QLatin1Char('\n'), Qt::SkipEmptyParts)), routes);
}

void OpenapiTest::routesOfTheGuideAreTheDocuments_data() {
    QTest::addColumn<QStringList>("routes");
    QTest::newRow("Endpoints") << m_workerRoutes;
    QTest::newRow("More endpoints of a coordinator") << m_clusterRoutes;
}

void OpenapiTest::routesOfTheGuideAreTheDocuments() {
    QFETCH(const QStringList, routes);
    const auto heading = QString::fromUtf8(QTest::currentDataTag());
    QStringList listed;
    for (const auto& row : tableRows(pageText(QStringLiteral("resources/docs/api-guide.md")), heading))
        listed << row.at(0) + QLatin1Char(' ') + row.at(1);
    QCOMPARE(sorted(listed), routes);
}

void OpenapiTest::everyReferenceLeadsSomewhere() {
    const auto references = referencesIn(m_document);
    QVERIFY(references.size() > 50);
    for (const auto& reference : references)
        QVERIFY2(reference.startsWith(QStringLiteral("#/")) && resolve(m_document, reference).isObject(),
                 qPrintable(reference));
}

void OpenapiTest::everyOperationHasAnExampleAndItsErrors() {
    QStringList ids;
    for (const auto& entry : operationsOf(m_document)) {
        const auto& [route, operation] = entry;
        const auto responses = operation.value(QStringLiteral("responses")).toObject();
        const auto success = jsonContent(responses.value(QStringLiteral("200")).toObject());
        QVERIFY2(success.contains(QStringLiteral("schema")) && success.contains(QStringLiteral("example")),
                 qPrintable(route));
        if (operation.contains(QStringLiteral("requestBody"))) {
            const auto request = jsonContent(operation.value(QStringLiteral("requestBody")).toObject());
            QVERIFY2(!request.value(QStringLiteral("examples")).toObject().isEmpty(), qPrintable(route));
        }
        if (!route.startsWith(QStringLiteral("GET")))
            for (const char* status : {"400", "413", "415"})
                QVERIFY2(responses.contains(QString::fromUtf8(status)), qPrintable(route));
        if (route.startsWith(QStringLiteral("POST")) && !entry.isOfACoordinator()) {
            QVERIFY2(operation.contains(QStringLiteral("requestBody")), qPrintable(route));
            QVERIFY2(responses.contains(QStringLiteral("503")), qPrintable(route));
        }
        ids << operation.value(QStringLiteral("operationId")).toString();
    }
    QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
}

void OpenapiTest::noSuccessHasADescription() {
    for (const auto& [route, operation] : operationsOf(m_document)) {
        const auto responses = operation.value(QStringLiteral("responses")).toObject();
        auto schema =
            jsonContent(responses.value(QStringLiteral("200")).toObject()).value(QStringLiteral("schema")).toObject();
        if (schema.contains(QStringLiteral("$ref")))
            schema = resolve(m_document, schema.value(QStringLiteral("$ref")).toString()).toObject();
        QVERIFY2(!schema.value(QStringLiteral("properties")).toObject().contains(QStringLiteral("description")),
                 qPrintable(route));
    }
}

void OpenapiTest::errorTokensAreTheServers() {
    const auto responses =
        m_document.value(QStringLiteral("components")).toObject().value(QStringLiteral("responses")).toObject();
    for (auto response = responses.begin(); response != responses.end(); ++response) {
        const auto example = jsonContent(response.value().toObject()).value(QStringLiteral("example")).toObject();
        const auto reason =
            fremis::base::reasonOfToken(example.value(QStringLiteral("error")).toString().toStdString());
        QVERIFY2(reason, qPrintable(response.key()));
        QCOMPARE(example.value(QStringLiteral("code")).toString(),
                 QString::number(fremis::base::infoOf(*reason).status));
    }
}

void OpenapiTest::theServerServesTheFile() {
    auto server = AppProcess::start();
    QVERIFY(server);
    if (!(*server)->waitListening())
        QSKIP("needs the default model pack to start");
    HttpClient client("127.0.0.1", (*server)->port());
    const auto served = client.get("/v1/openapi.json");
    QVERIFY(served);
    QCOMPARE(served->status, 200);
    QVERIFY(served->header("content-type").starts_with("application/json"));
    QCOMPARE(served->body, pageText(kFile).toStdString());
}

QTEST_GUILESS_MAIN(OpenapiTest)
#include "openapi_test.moc"
