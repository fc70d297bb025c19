#include "server/engine/request_context.h"

#include <QtTest>

#include <thread>

using fremis::engine::WriteTicket;

class WriteTicketTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWriteThatSetOutIsNotGivenUp() {
        WriteTicket ticket;
        QVERIFY(ticket.setOut());
        QVERIFY(!ticket.giveUp());
        QVERIFY(ticket.setOut()); // once more after a conflict
    }
    void aWriteThatWasGivenUpNeverSetsOut() {
        WriteTicket ticket;
        QVERIFY(ticket.giveUp());
        QVERIFY(!ticket.setOut());
        QVERIFY(ticket.giveUp());
    }
    void exactlyOneOfTwoThreadsDecides() {
        for (int round = 0; round < 2'000; ++round) {
            WriteTicket ticket;
            bool setOut = false;
            std::thread writer([&] { setOut = ticket.setOut(); });
            const bool givenUp = ticket.giveUp();
            writer.join();
            QVERIFY(setOut != givenUp);
        }
    }
};

QTEST_GUILESS_MAIN(WriteTicketTest)
#include "write_ticket_test.moc"
