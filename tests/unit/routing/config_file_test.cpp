#include "shared/routing/config_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

using namespace fremis::routing;

namespace {

std::string config(int split, std::size_t comments = 0) {
    std::string padding;
    for (std::size_t i = 0; i < comments; ++i)
        padding += "# nothing but bytes to read, so that reading takes a while\n";
    return "version: v1\nnodes:\n  - {address: a:1, partition_start: 0, partition_end: " + std::to_string(split) +
           "}\n  - {address: b:1, partition_start: " + std::to_string(split + 1) + ", partition_end: 255}\n" + padding;
}

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

} // namespace

class ConfigFileTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_file = std::filesystem::path(m_dir->path().toStdString()) / "config.yml";
    }

    void loadsTextConfigEpochAndRemarks() {
        write(m_file, config(99));
        const auto loaded = loadConfig(m_file);
        QVERIFY(loaded);
        QCOMPARE(loaded->text, config(99));
        QCOMPARE(loaded->config.entries.size(), std::size_t{2});
        QCOMPARE(loaded->epoch(), epochOf(loaded->config));
        QVERIFY(loaded->map.isComplete());
        QCOMPARE(loaded->map.nodes()[1].address.text(), std::string("b:1"));
        QCOMPARE(loaded->map.owners(100).size(), std::size_t{1});
        QCOMPARE(loaded->map.owners(100)[0], std::uint16_t{1});
        QVERIFY(loaded->warnings.empty());
    }

    void namesFileLineAndReason() {
        write(m_file, "version: v1\nnodes:\n  - {address: a:1, partition_start: 0, partition_end: 99}\n");
        const auto loaded = loadConfig(m_file);
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().reason, fremis::base::Reason::InvalidConfig);
        QCOMPARE(loaded.error().message, m_file.string() + ":3:37: partitions 100-255 belong to nobody");
    }

    void refusesWhatIsNoRegularFile() {
        QCOMPARE(loadConfig(m_file.parent_path()).error().message,
                 m_file.parent_path().string() + ": not a regular file");
        QCOMPARE(loadConfig("/dev/zero").error().message, std::string("/dev/zero: not a regular file"));
        QCOMPARE(::mkfifo(m_file.c_str(), 0600), 0);
        QCOMPARE(loadConfig(m_file).error().message,
                 m_file.string() + ": not a regular file"); // and does not wait for a writer
        QVERIFY(loadConfig(m_file.parent_path() / "absent").error().message.ends_with("No such file or directory"));
    }

    void refusesALargeFileUnread() {
        write(m_file, {});
        std::filesystem::resize_file(m_file, 10'000'000'000);
        QCOMPARE(loadConfig(m_file).error().message, m_file.string() + ": larger than 1024 KiB");
    }

    void seesOneWholeVersionWhileTheFileIsReplaced() {
        // Large enough for several reads; every version is recognisable.
        constexpr std::size_t kPadding = 5'000;
        QVERIFY(replaceFile(m_file, config(0, kPadding)));
        std::atomic<bool> stop{false};
        std::thread writer([&] {
            for (int i = 0; !stop; i = (i + 1) % 200)
                if (!replaceFile(m_file, config(i, kPadding + static_cast<std::size_t>(i))))
                    return;
        });
        int whole = 0;
        for (int i = 0; i < 15; ++i) {
            const auto loaded = loadConfig(m_file);
            if (!loaded)
                continue;
            const int split = loaded->config.entries[0].range.last;
            whole += loaded->text == config(split, kPadding + static_cast<std::size_t>(split)) ? 1 : 0;
        }
        stop = true;
        writer.join();
        QCOMPARE(whole, 15);
    }

    void givesNoTornTextWhileTheFileIsWrittenInPlace() {
        // The split in the first line and the last; all versions of one size.
        const auto version = [](int split) {
            const std::string number = std::to_string(split);
            return "# " + number + "\n" + config(split, 5'000) + "# " + number + "\n";
        };
        write(m_file, version(100));
        std::atomic<bool> stop{false};
        std::thread writer([&] {
            for (int i = 100; !stop; i = i < 200 ? i + 1 : 100) {
                const std::string text = version(i);
                std::fstream file(m_file, std::ios::binary | std::ios::in | std::ios::out);
                file.write(text.data(), static_cast<std::streamsize>(text.size() / 2));
                file.flush();
                file.write(text.data() + text.size() / 2, static_cast<std::streamsize>(text.size() - text.size() / 2));
            }
        });
        int torn = 0;
        for (int i = 0; i < 15; ++i)
            if (const auto loaded = loadConfig(m_file)) // or a refusal, upon which the caller keeps its map
                torn += loaded->text == version(loaded->config.entries[0].range.last) ? 0 : 1;
        stop = true;
        writer.join();
        QCOMPARE(torn, 0);
        QVERIFY(loadConfig(m_file)); // the last version, now that it is still
    }

    void refusesTheFirstHalfOfAFile() {
        const std::string text = config(99);
        write(m_file, text.substr(0, text.size() / 2));
        QVERIFY(!loadConfig(m_file));
    }

    void replacesKeepingPermissionsAndLinks() {
        write(m_file, "old");
        QCOMPARE(::chmod(m_file.c_str(), 0640), 0);
        const auto link = m_file.parent_path() / "link.yml";
        std::filesystem::create_symlink(m_file, link);
        QVERIFY(replaceFile(link, "new"));
        QVERIFY(std::filesystem::is_symlink(link));
        QCOMPARE(*readWholeFile(m_file), std::string("new"));
        struct stat info {};
        QCOMPARE(::stat(m_file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 07777U, 0640U);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(m_file.parent_path()), {}),
                 2); // nothing left behind
    }

    void leavesTheOldFileWhenItCannotReplaceIt() {
        const auto absent = m_file.parent_path() / "absent" / "config.yml";
        const auto status = replaceFile(absent, "new");
        QVERIFY(!status);
        QCOMPARE(status.error().reason, fremis::base::Reason::Internal);
    }

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    std::filesystem::path m_file;
};

QTEST_GUILESS_MAIN(ConfigFileTest)
#include "config_file_test.moc"
