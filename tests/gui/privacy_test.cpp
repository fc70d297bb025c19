// No photo and no secret reaches the disk, whatever is tried with them: everything this process may write to lies in
// one folder, which is read again and again while faces are recognised, enrolled, compared and exported.
#include "console/client/demo_transport.h"
#include "console/ui/pages/try/photo_view.h"
#include "console/ui/pages/try/try_page.h"
#include "console/ui/panel/bottom_panel.h"
#include "tests/gui/console_fixture.h"
#include "tests/support/photos.h"

#include <QClipboard>
#include <QComboBox>
#include <QDirIterator>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTimer>

#include <fcntl.h>
#include <unistd.h>

using namespace fremis::console;
using namespace fremis::console::ui;
using fremis::tests::Console;

namespace {

constexpr int kPatienceMs = 20'000;
const QByteArray kSecret = QByteArrayLiteral("SK-9f1c77-never-to-be-written");

/// Everything below a folder, and every file this process has open for writing, looked through for what must not be
/// there.
class Watch {
public:
    Watch(QString folder, const QByteArray& photo) : m_folder(std::move(folder)), m_photo(photo) {
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { look(); });
        m_timer.start();
    }
    void look() {
        for (QDirIterator it(m_folder, QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
             it.hasNext();)
            read(it.next());
        lookAtOpenFiles();
    }
    [[nodiscard]] const QSet<QString>& files() const { return m_files; }
    [[nodiscard]] QStringList found() const { return {m_found.begin(), m_found.end()}; }
    void forget() { m_found.clear(); }

private:
    void read(const QString& path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return; // gone already
        m_files.insert(path);
        const QByteArray bytes = file.readAll();
        const auto has = [&](const QByteArray& part, const char* what) {
            if (bytes.contains(part))
                m_found.insert(path + QStringLiteral(" holds ") + QLatin1String(what));
        };
        has(QByteArrayLiteral("\xff\xd8\xff"), "a JPEG");
        has(QByteArrayLiteral("\x89PNG\r\n"), "a PNG");
        has(m_photo.mid(m_photo.size() / 2, 48), "bytes of the photo");
        // Base64 of the same bytes at the three places they can have in a group of three.
        for (int shift = 0; shift < 3; ++shift)
            has(m_photo.mid(m_photo.size() / 3 * 3 / 2 + shift, 48).toBase64().left(60), "base64 of the photo");
        has(m_photo.left(48).toBase64(), "base64 of the photo's head");
        has(kSecret, "the secret key");
        has(kSecret.toBase64(), "base64 of the secret key");
    }
    void lookAtOpenFiles() {
        for (const QString& number : QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::Files | QDir::System)) {
            const int descriptor = number.toInt();
            const QString target = QFile::symLinkTarget(QStringLiteral("/proc/self/fd/") + number);
            const int flags = ::fcntl(descriptor, F_GETFL);
            const bool isWritable = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
            if (descriptor > STDERR_FILENO && isWritable && QFileInfo(target).isFile() && !target.startsWith(m_folder))
                m_found.insert(QStringLiteral("open for writing outside: ") + target);
        }
    }

    const QString m_folder;
    const QByteArray m_photo;
    QTimer m_timer;
    QSet<QString> m_files;
    QSet<QString> m_found;
};

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
}

} // namespace

class PrivacyTest final : public QObject {
    Q_OBJECT

public:
    explicit PrivacyTest(QString folder) : m_folder(std::move(folder)) {}

private Q_SLOTS:
    void initTestCase();
    void theWatchSeesWhatItLooksFor();
    void neitherPhotosNorSecretsAreWritten();

private:
    void tryEverything(Console& console, TryPage& page);

    const QString m_folder;
    QByteArray m_photo;
};

void PrivacyTest::initTestCase() {
    FREMIS_NEEDS_FETCHED_DATA(fremis::test::photo("jesper.jpg"));
    const auto bytes = fremis::test::readBytes(*fremis::test::photo("jesper.jpg"));
    m_photo = QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())); // Qt's view
    QVERIFY(QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation).startsWith(m_folder));
    QVERIFY(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation).startsWith(m_folder));
    QVERIFY(QStandardPaths::writableLocation(QStandardPaths::CacheLocation).startsWith(m_folder));
    QVERIFY(QDir::tempPath().startsWith(m_folder));
}

void PrivacyTest::theWatchSeesWhatItLooksFor() {
    Watch watch(m_folder, m_photo);
    const QString path = m_folder + QStringLiteral("/canary");
    for (const QByteArray& content :
         {m_photo, "{\"image\":\"" + m_photo.toBase64() + "\"}", "x{\"image\":\"" + ("1" + m_photo).toBase64() + "\"}",
          "key=" + kSecret, m_photo.mid(m_photo.size() / 2 - 100, 200)}) {
        watch.forget();
        write(path, content);
        watch.look();
        QVERIFY(!watch.found().isEmpty());
    }
    QFile::remove(path);
}

void PrivacyTest::tryEverything(Console& console, TryPage& page) {
    const auto answered = [&page] { return page.isIdle() && page.reply().readable; };
    QCOMPARE(page.photo().setBytes(m_photo), QString());
    page.setMode(TryPage::Mode::Enrol);
    console.find<QLineEdit>("try.face")->setText(QStringLiteral("privacy-1"));
    page.send();
    QTRY_VERIFY_WITH_TIMEOUT(answered(), kPatienceMs);
    page.setMode(TryPage::Mode::Recognise);
    page.send();
    QTRY_VERIFY_WITH_TIMEOUT(answered(), kPatienceMs);
    QCOMPARE(page.reply().candidates.front().faceId, QStringLiteral("privacy-1"));
    console.find<QSpinBox>("try.times")->setValue(5);
    console.find<QPushButton>("try.repeat")->click();
    QTRY_COMPARE_WITH_TIMEOUT(page.timing().run().done(), 5, kPatienceMs);
    console.find<QPushButton>("try.nodes")->click();
    QTRY_VERIFY_WITH_TIMEOUT(console.find<QPushButton>("try.nodes")->isEnabled(), kPatienceMs);
    page.setMode(TryPage::Mode::Match);
    QCOMPARE(console.find<PhotoView>("try.other")->setBytes(m_photo), QString());
    page.send();
    QTRY_VERIFY_WITH_TIMEOUT(answered(), kPatienceMs);
    QGuiApplication::clipboard()->setImage(QImage::fromData(m_photo));
    console.find<PhotoView>("try.other")->paste();
    console.find<QPushButton>("try.curl")->click();
    QVERIFY(!page.curl().contains(QString::fromUtf8(kSecret)));
    page.setMode(TryPage::Mode::Lookup);
    page.send();
    QTRY_VERIFY_WITH_TIMEOUT(answered(), kPatienceMs);
}

void PrivacyTest::neitherPhotosNorSecretsAreWritten() {
    Watch watch(m_folder, m_photo);
    {
        Console console;
        // A profile of the store, as one that is used each day; its keys are for the session.
        Profile profile = console.demo.profile();
        profile.id.clear();
        const auto id = console.profiles.save(profile);
        QVERIFY(id);
        profile.id = *id;
        profile.interval = Milliseconds(500);
        console.session.open(profile, KeyPair{QStringLiteral("AK-1"), kSecret});
        console.session.client().setSignReads(true);
        QVERIFY(console.waitFor([](const Snapshot& s) { return s.config && s.status && s.counts.nodesOk == 7; }));
        console.window->openPage(QStringLiteral("try"));
        auto* page = qobject_cast<TryPage*>(console.window->page(QStringLiteral("try")));
        tryEverything(console, *page);
        if (QTest::currentTestFailed())
            return;
        // What can be saved is saved: tables, the log of requests, layouts, the draft, the profile.
        page->setMode(TryPage::Mode::Recognise);
        console.dialogs.texts.push_back(m_folder + QStringLiteral("/candidates.csv"));
        page->exportCsv();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(m_folder + QStringLiteral("/candidates.csv")), kPatienceMs);
        for (const QString& other : console.window->pageIds()) {
            console.window->openPage(other);
            watch.look();
        }
        console.find<BottomPanel>("panel")->openTab(BottomPanel::Log);
        console.window->saveLayout();
        QSettings().sync();
        QVERIFY(console.profiles.setLastUsed(*id));
        console.window->close();
        watch.look();
    }
    watch.look();
    QVERIFY2(watch.found().isEmpty(), qPrintable(watch.found().join(QLatin1Char('\n'))));
    // It was not the emptiness of the folder: settings, the profile and the export were written and read.
    QVERIFY2(watch.files().size() >= 3, qPrintable(QStringList(watch.files().values()).join(QLatin1Char('\n'))));
}

int main(int argc, char** argv) {
    ::closefrom(STDERR_FILENO + 1); // what the caller had open, such as the log of its own, is not the console's
    QTemporaryDir folder;
    for (const auto* name :
         {"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, folder.path().toLocal8Bit());
    QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QCoreApplication::setApplicationName(QStringLiteral("fremis-n-console"));
    QCoreApplication::setOrganizationName(QStringLiteral("fremis-n"));
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!.*propagateSizeHints).*$")));
    QApplication application(argc, argv);
    PrivacyTest test(folder.path());
    return QTest::qExec(&test, argc, argv);
}
#include "privacy_test.moc"
