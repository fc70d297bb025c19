#include "tests/support/history.h"

#include <QtTest>

using namespace fremis::test;
using namespace std::chrono_literals;
using Outcome = History::Outcome;

namespace {

/// Written as a story: `enrol(1s)` is done within 100 ms through door 0.
struct Story {
    History history;
    void enrol(History::Time at, Outcome outcome = Outcome::Done, int door = 0) {
        history.end(history.beginEnrolment("f", door, at), outcome, at + 100ms);
    }
    void remove(History::Time at, Outcome outcome = Outcome::Done, int door = 0) {
        history.end(history.beginRemoval("f", door, at), outcome, at + 100ms);
    }
    void see(History::Time at, int door = 0) { history.addRead(door, at, at + 100ms, {"f"}); }
    void miss(History::Time at, int door = 0) { history.addRead(door, at, at + 100ms, {}); }
};

using Tell = std::function<void(Story&)>;

/// The rules that were broken, joined.
std::string broken(const History& history) {
    std::string rules;
    for (const auto& violation : history.check({1s, 30s}))
        rules += (rules.empty() ? "" : " ") + violation.rule;
    return rules;
}

} // namespace

Q_DECLARE_METATYPE(Tell)

/// A checker that finds nothing proves nothing: each rule has a history that breaks it, and what looks bad and is
/// allowed passes.
class HistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void badHistoriesAreFound_data() {
        QTest::addColumn<Tell>("tell");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char* name, const char* rule, const Tell& tell) {
            QTest::newRow(name) << tell << QString::fromLatin1(rule);
        };
        row("an acknowledged enrolment is missing", "lost", [](Story& s) {
            s.enrol(1s);
            s.miss(2s);
        });
        row("it is missing at the other door after a second", "lost", [](Story& s) {
            s.enrol(1s);
            s.miss(2'200ms, 1);
        });
        row("an enrolment after a removal is missing", "lost", [](Story& s) {
            s.enrol(1s);
            s.remove(2s);
            s.enrol(3s);
            s.miss(4s);
        });
        row("a refused removal took effect", "lost", [](Story& s) {
            s.enrol(1s);
            s.remove(2s, Outcome::NotDone);
            s.miss(3s);
        });
        row("a removal says that an enrolled face is not there", "lost", [](Story& s) {
            s.enrol(1s);
            s.history.addLook("f", 0, 2s, 2'100ms, false);
        });
        row("a face that nobody enrolled", "phantom", [](Story& s) { s.see(1s); });
        row("a refused enrolment took effect", "phantom", [](Story& s) {
            s.enrol(1s, Outcome::NotDone);
            s.see(2s);
        });
        row("an answer before the question", "phantom", [](Story& s) {
            s.see(1s);
            s.enrol(2s);
        });
        row("an acknowledged removal did not last", "undead", [](Story& s) {
            s.enrol(1s);
            s.remove(2s);
            s.see(3s);
        });
        row("it comes back much later at the other door", "undead", [](Story& s) {
            s.enrol(1s);
            s.remove(2s);
            s.miss(3s);
            s.see(60s, 1);
        });
        row("an enrolment of long ago is no excuse", "undead", [](Story& s) {
            s.enrol(1s, Outcome::Unknown);
            s.remove(40s);
            s.see(41s);
        });
        row("a face twice in an answer", "double", [](Story& s) {
            s.enrol(1s);
            s.history.addRead(0, 2s, 2'100ms, {"f", "f"});
        });
        row("two quiet reads differ", "split", [](Story& s) {
            s.enrol(1s, Outcome::Unknown);
            s.history.addQuietRead({"f"});
            s.history.addQuietRead({});
        });
    }
    void badHistoriesAreFound() {
        QFETCH(Tell, tell);
        QFETCH(QString, rule);
        Story story;
        tell(story);
        QCOMPARE(QString::fromStdString(broken(story.history)), rule);
    }

    void whatIsAllowedPasses_data() {
        QTest::addColumn<Tell>("tell");
        const auto row = [](const char* name, const Tell& tell) { QTest::newRow(name) << tell; };
        row("an ordinary life", [](Story& s) {
            s.miss(100ms);
            s.enrol(1s);
            s.see(2s);
            s.remove(3s);
            s.miss(4s);
            s.enrol(5s);
            s.see(6s);
        });
        row("a read during the enrolment, either way", [](Story& s) {
            s.enrol(1s);
            s.see(1'050ms);
            s.miss(1'050ms);
        });
        row("a removal and an enrolment at once, either way", [](Story& s) {
            s.enrol(500ms);
            s.enrol(1s);
            s.remove(1'050ms);
            s.see(2s);
            s.miss(3s);
        });
        row("an enrolment of unknown outcome, either way", [](Story& s) {
            s.enrol(1s, Outcome::Unknown);
            s.miss(2s);
            s.see(3s);
        });
        row("a removal of unknown outcome, either way", [](Story& s) {
            s.enrol(1s);
            s.remove(2s, Outcome::Unknown);
            s.see(3s);
            s.miss(4s);
        });
        row("the other door, within a second", [](Story& s) {
            s.enrol(1s);
            s.miss(1'200ms, 1);
            s.remove(3s);
            s.see(3'900ms, 1);
        });
        row("a removal that did not know of an enrolment at the other door", [](Story& s) {
            s.enrol(1s, Outcome::Done, 1);
            s.remove(1'500ms);
            s.see(2s);
        });
        row("equal quiet reads in another order", [](Story& s) {
            s.history.addQuietRead({"a", "b"});
            s.history.addQuietRead({"b", "a"});
        });
    }
    void whatIsAllowedPasses() {
        QFETCH(Tell, tell);
        Story story;
        tell(story);
        QCOMPARE(broken(story.history), std::string());
    }

    void countsTellHowMuchWasProven() {
        Story story;
        story.enrol(1s);
        story.enrol(2s, Outcome::Unknown);
        story.remove(3s);
        story.miss(4s);
        const auto counts = story.history.counts();
        QCOMPARE(counts.enrolled, std::size_t{1});
        QCOMPARE(counts.removed, std::size_t{1});
        QCOMPARE(counts.unknown, std::size_t{1});
        QCOMPARE(counts.reads, std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(HistoryTest)
#include "history_test.moc"
