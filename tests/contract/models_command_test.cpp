// Model packs are fetched whole and checked, or not at all.
#include "tests/contract/command_runs.h"
#include "tests/contract/sequences.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace fremis::test;
namespace fs = std::filesystem;

namespace {

/// No package comes from there.
constexpr const char* kNoRegistry = "http://127.0.0.1:1/";

Ended runModels(std::vector<std::string> arguments,
                std::map<std::string, std::string> environment = {{"npm_config_registry", kNoRegistry}}) {
    AppOptions options;
    options.subcommand = "models";
    options.arguments = std::move(arguments);
    options.environment = std::move(environment);
    options.listenAnywhere = false;
    options.modelPack = false;
    return run(std::move(options), std::chrono::seconds(60));
}

bool isEmpty(const fs::path& folder) {
    return !fs::exists(folder) || fs::is_empty(folder);
}

} // namespace

class ModelsCommandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void usageErrorsAreExitCode2_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no command") << QStringList();
        QTest::newRow("unknown command") << QStringList{QStringLiteral("steal")};
        QTest::newRow("unknown flag of fetch") << QStringList{QStringLiteral("fetch"), QStringLiteral("--fast")};
        QTest::newRow("stray word of check") << QStringList{QStringLiteral("check"), QStringLiteral("all")};
    }
    void usageErrorsAreExitCode2() {
        QFETCH(const QStringList, arguments);
        const auto ended = runModels(standardTexts(arguments));
        QCOMPARE(ended.code.value_or(-1), kUsageError);
        QVERIFY(!ended.errors.empty());
    }

    void withoutANetworkNothingIsInstalledAndTheErrorSaysSo() {
        const auto target = folder("away");
        const auto ended = runModels({"fetch", target.string()});
        QCOMPARE(ended.code.value_or(-1), 1);
        for (const auto* said : {"cannot fetch faceplugin-face-recognition-js@0.0.1", "is the network away?", "--from"})
            QVERIFY2(ended.errors.find(said) != std::string::npos, ended.errors.c_str());
        QVERIFY(isEmpty(target));
    }

    void withoutNpmNoRegistryIsGuessed() {
        const auto tools = folder("tools");
        fs::create_directories(tools);
        for (const auto* tool : {"awk", "bash", "cat", "cmp", "curl", "cut", "dirname", "mkdir", "mktemp", "rm", "sed",
                                 "sha256sum", "tail", "tr"})
            fs::create_symlink(fs::path("/usr/bin") / tool, tools / tool);
        const auto target = folder("unnamed");
        const auto ended =
            runModels({"fetch", target.string()}, {{"PATH", tools.string()}, {"npm_config_registry", ""}});
        QCOMPARE(ended.code.value_or(-1), 1);
        for (const auto* said :
             {"npm is needed to fetch faceplugin-face-recognition-js@0.0.1", "npm_config_registry=URL", "--from"})
            QVERIFY2(ended.errors.find(said) != std::string::npos, ended.errors.c_str());
        QVERIFY(isEmpty(target));
        const auto elsewhere =
            runModels({"fetch", target.string()}, {{"PATH", tools.string()}, {"npm_config_registry", kNoRegistry}});
        QCOMPARE(elsewhere.code.value_or(-1), 1);
        QVERIFY2(elsewhere.errors.find("is the network away?") != std::string::npos, elsewhere.errors.c_str());
    }

    void aPackageThatIsNotThePinnedOneIsRefused() {
        const auto target = folder("forged");
        const auto package = folder("package.tgz");
        std::ofstream(package) << "not the package";
        const auto ended = runModels({"fetch", target.string(), "--from", package.string()});
        QCOMPARE(ended.code.value_or(-1), 1);
        QVERIFY2(ended.errors.find("none of the --from files is faceplugin") != std::string::npos,
                 ended.errors.c_str());
        QVERIFY(isEmpty(target));
    }

    void anUnknownPackIsNamed() {
        const auto ended = runModels({"fetch", folder("unknown").string(), "--pack", "no-such-pack"});
        QCOMPARE(ended.code.value_or(-1), 1);
        QVERIFY2(ended.errors.find("unknown pack 'no-such-pack'") != std::string::npos, ended.errors.c_str());
    }

    void aPackThatIsThereAndRightIsLeftAlone() {
        FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
        const auto target = folder("present");
        copyPack(target);
        const auto ended = runModels({"fetch", target.string()});
        QVERIFY2(ended.code == 0, ended.errors.c_str());
        QVERIFY2(ended.output.find("is up to date") != std::string::npos, ended.output.c_str());
    }

    void aDamagedPackIsNotTakenForARightOne() {
        FREMIS_NEEDS_FETCHED_DATA(modelPack("fp-mfn512"));
        const auto target = folder("damaged");
        copyPack(target);
        const auto good = runModels({"check", "--model-pack", (target / "fp-mfn512").string()});
        QVERIFY2(good.code == 0, good.errors.c_str());
        QVERIFY2(good.output.find("embeddings of 512 numbers in the space fp-mfn512-bgr-1") != std::string::npos,
                 good.output.c_str());
        std::ofstream(target / "fp-mfn512/fr_age.onnx", std::ios::app) << 'x';
        const auto checked = runModels({"check", "--model-pack", (target / "fp-mfn512").string()});
        QCOMPARE(checked.code.value_or(-1), kBadConfiguration);
        QVERIFY2(checked.errors.find("fr_age.onnx") != std::string::npos, checked.errors.c_str());
        const auto fetched = runModels({"fetch", target.string()});
        QCOMPARE(fetched.code.value_or(-1), 1);
    }

    void aMissingPackIsToldWithTheCommandThatFetchesIt() {
        const auto ended = runModels({"check", "--model-pack", "no-such-pack"});
        QCOMPARE(ended.code.value_or(-1), kBadConfiguration);
        QVERIFY2(ended.errors.find("fremis_n_app models fetch") != std::string::npos, ended.errors.c_str());
    }

private:
    [[nodiscard]] fs::path folder(const char* name) const { return fs::path(m_folder.path().toStdString()) / name; }

    static void copyPack(const fs::path& target) {
        fs::create_directories(target);
        fs::copy(*modelPack("fp-mfn512"), target / "fp-mfn512", fs::copy_options::recursive);
        for (const auto& entry : fs::directory_iterator(target / "fp-mfn512"))
            fs::permissions(entry, fs::perms::owner_write, fs::perm_options::add);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(ModelsCommandTest)
#include "models_command_test.moc"
