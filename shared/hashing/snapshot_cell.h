#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fremis::hashing {

/// Holds the current snapshot of something immutable. Readers are wait-free: they count themselves in, load a pointer
/// and count themselves out. A writer waits until the readers of the old snapshot are gone (they hold it for
/// nanoseconds). The reader counts follow the left-right technique (Ramalhete and Correia 2015, "toggle version and
/// wait"), all operations sequentially consistent. std::atomic<std::shared_ptr> would do less: libstdc++ 12 spins on a
/// lock bit. Thread: any. Do not call publish() while this thread holds a Reader of the same cell.
template<class T> class SnapshotCell {
public:
    explicit SnapshotCell(std::shared_ptr<const T> first = nullptr)
        : m_owner(std::move(first)), m_current(m_owner.get()) {}
    SnapshotCell(const SnapshotCell&) = delete;
    SnapshotCell& operator=(const SnapshotCell&) = delete;

    class Reader {
    public:
        explicit Reader(const SnapshotCell& cell)
            : m_count(cell.m_readers[cell.m_side.load()].stripe()),
              m_value((m_count.fetch_add(1), cell.m_current.load())) {}
        ~Reader() { m_count.fetch_sub(1); }
        Reader(const Reader&) = delete;
        Reader& operator=(const Reader&) = delete;
        [[nodiscard]] const T* get() const { return m_value; }
        [[nodiscard]] const T* operator->() const { return m_value; }
        [[nodiscard]] const T& operator*() const { return *m_value; }
        explicit operator bool() const { return m_value != nullptr; }

    private:
        std::atomic<std::uint32_t>& m_count;
        const T* m_value;
    };

    /// The snapshot, for as long as the Reader lives. Keep it short.
    [[nodiscard]] Reader read() const { return Reader(*this); }
    /// The snapshot to keep; takes a lock.
    [[nodiscard]] std::shared_ptr<const T> share() const {
        const std::lock_guard lock(m_writer);
        return m_owner;
    }
    /// Makes `next` current. When it returns no reader sees the old snapshot any more.
    void publish(std::shared_ptr<const T> next) {
        const std::lock_guard lock(m_writer);
        m_current.store(next.get());
        waitForReaders();
        m_owner = std::move(next);
    }

private:
    struct Counts {
        struct alignas(64) Stripe {
            std::atomic<std::uint32_t> count{0};
        };
        mutable std::array<Stripe, 8> stripes;
        [[nodiscard]] std::atomic<std::uint32_t>& stripe() const {
            static thread_local const std::size_t mine = std::hash<std::thread::id>{}(std::this_thread::get_id());
            return stripes[(mine >> 4) % stripes.size()].count;
        }
        void waitUntilEmpty() const {
            for (const auto& stripe : stripes)
                while (stripe.count.load() != 0)
                    std::this_thread::yield();
        }
    };
    // A reader that chose its side before the flip may count itself in after it; the next flip waits for that side
    // first.
    void waitForReaders() {
        const std::uint32_t side = m_side.load();
        m_readers[1 - side].waitUntilEmpty();
        m_side.store(1 - side);
        m_readers[side].waitUntilEmpty();
    }

    mutable std::mutex m_writer;
    std::shared_ptr<const T> m_owner;
    std::atomic<const T*> m_current;
    std::atomic<std::uint32_t> m_side{0};
    std::array<Counts, 2> m_readers;
};

} // namespace fremis::hashing
