// Measures the index beside what it is to be compared with, in one run, taking turns (A B C A B C ...), and prints
// Markdown. Usage: index_bench [rows = 1000000] [dimension = 512] [rounds = 5] [part = all|scan|batch|write|memory]
// [pause]
#include "shared/hashing/partition.h"
#include "shared/index/vector_index.h"

#include <dlfcn.h>
#include <emmintrin.h>
#include <faiss/IndexFlat.h>
#include <malloc.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <thread>

namespace {

using namespace fremis::index;
using fremis::base::Variation;
using Clock = std::chrono::steady_clock;

constexpr int kCandidates = 10;
constexpr int kBatch = 64;

struct Setup {
    std::size_t rows = 1'000'000;
    int dimension = 512;
    int rounds = 5;
    std::string parts = "all";
    bool pause = false;
    [[nodiscard]] bool wants(std::string_view part) const { return parts == "all" || parts == part; }
};

/// Loading may share the machine with others, measuring may not.
void waitForEnter(const Setup& setup) {
    if (!setup.pause)
        return;
    std::fprintf(stderr, "loaded; Enter to measure\n");
    for (int c = std::getchar(); c != '\n' && c != EOF;)
        c = std::getchar();
}

double millisecondsOf(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Of this process, all threads.
double cpuMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

double median(const std::vector<double>& values) {
    return percentile(values, 0.5);
}

/// Uniform on the sphere, the hard case for the proof; quick to make.
class Vectors {
public:
    explicit Vectors(int dimension) : m_dimension(static_cast<std::size_t>(dimension)) {}
    void make(std::size_t number, float* to) const {
        std::uint64_t state = number * 0x9E3779B97F4A7C15ULL + 1;
        double squares = 0;
        for (std::size_t i = 0; i < m_dimension; ++i) {
            float sum = -2; // four uniform numbers are normal enough
            for (int j = 0; j < 4; ++j) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                sum += static_cast<float>(state >> 40) * 0x1p-24F;
            }
            to[i] = sum;
            squares += double{sum} * sum;
        }
        const auto factor = static_cast<float>(1 / std::sqrt(squares));
        for (std::size_t i = 0; i < m_dimension; ++i)
            to[i] *= factor;
    }
    [[nodiscard]] std::vector<float> some(std::size_t first, std::size_t count) const {
        std::vector<float> vectors(count * m_dimension);
        for (std::size_t i = 0; i < count; ++i)
            make(first + i, vectors.data() + i * m_dimension);
        return vectors;
    }

private:
    const std::size_t m_dimension;
};

constexpr std::size_t kFirstQuery = std::size_t{1} << 40;

std::string faceOf(std::size_t number) {
    return std::to_string(730'060'000'000'000'000 + number * 1'000'003); // as long as generated ids are
}

Row rowOf(std::string& face, std::size_t number, std::span<const float> embedding) {
    face = faceOf(number);
    return {{"default", fremis::hashing::partitionOf("default", face), face}, Variation(number), embedding};
}

Options optionsFor(const Setup& setup, Engine engine, FloatRows floatRows, int helpers) {
    Options options;
    options.engine = engine;
    options.dimension = setup.dimension;
    options.floatRows = floatRows;
    options.dataDir = std::filesystem::current_path();
    options.helperThreads = helpers;
    return options;
}

std::unique_ptr<VectorIndex> filled(const Setup& setup, Engine engine, FloatRows floatRows, int helpers) {
    auto index = std::move(VectorIndex::create(optionsFor(setup, engine, floatRows, helpers)).value());
    const Vectors vectors(setup.dimension);
    std::vector<float> embedding(static_cast<std::size_t>(setup.dimension));
    std::string face;
    for (std::size_t i = 0; i < setup.rows; ++i) {
        vectors.make(i, embedding.data());
        if (!index->add(rowOf(face, i, embedding)))
            std::abort();
    }
    return index;
}

/// The least any exact float search can do: every byte of the rows read once, with the same prefetch, on 2 MB pages.
class ReadLoop {
public:
    explicit ReadLoop(std::size_t bytes) : m_bytes(bytes / kPart * kPart) {
        m_memory = static_cast<char*>(std::aligned_alloc(std::size_t{2} << 20, (m_bytes + (2 << 20)) >> 21 << 21));
        madvise(m_memory, m_bytes, MADV_HUGEPAGE);
        std::memset(m_memory, 1, m_bytes);
    }
    ~ReadLoop() { std::free(m_memory); }
    ReadLoop(const ReadLoop&) = delete;
    ReadLoop& operator=(const ReadLoop&) = delete;

    void run(int threads) const {
        std::vector<std::jthread> others;
        for (int t = 1; t < threads; ++t)
            others.emplace_back([=, this] { read(t, threads); });
        read(0, threads);
    }

private:
    static constexpr std::size_t kPart = 4096;
    void read(int thread, int threads) const {
        const std::size_t share = m_bytes / static_cast<std::size_t>(threads);
        const char* const begin = m_memory + static_cast<std::size_t>(thread) * share;
        __m128i all = _mm_setzero_si128();
        for (std::size_t at = 0; at < share; at += 64) {
            _mm_prefetch(begin + at + 4096, _MM_HINT_T0);
            for (std::size_t i = 0; i < 64; i += 16)
                all = _mm_or_si128(all, _mm_load_si128(reinterpret_cast<const __m128i*>(begin + at + i)));
        }
        volatile int sink = _mm_cvtsi128_si32(all);
        (void)sink;
    }
    const std::size_t m_bytes;
    char* m_memory;
};

/// A function of OpenBLAS, whose threads are its own; null with another BLAS.
template<class Function> Function* openBlas(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

class Faiss {
public:
    explicit Faiss(const Setup& setup) : m_index(setup.dimension) {
        const Vectors vectors(setup.dimension);
        m_index.codes.reserve(setup.rows * m_index.code_size); // else growing needs twice the memory
        constexpr std::size_t kPiece = 1000;
        for (std::size_t i = 0; i < setup.rows; i += kPiece) {
            const auto piece = vectors.some(i, std::min(kPiece, setup.rows - i));
            m_index.add(static_cast<faiss::Index::idx_t>(piece.size() / static_cast<std::size_t>(setup.dimension)),
                        piece.data());
        }
    }
    std::vector<faiss::Index::idx_t> search(std::span<const float> queries, int threads) const {
        omp_set_num_threads(threads);
        if (const auto setBlasThreads = openBlas<void(int)>("openblas_set_num_threads"))
            setBlasThreads(threads);
        const auto count = queries.size() / static_cast<std::size_t>(m_index.d);
        std::vector<float> scores(count * kCandidates);
        std::vector<faiss::Index::idx_t> labels(count * kCandidates);
        m_index.search(static_cast<faiss::Index::idx_t>(count), queries.data(), kCandidates, scores.data(),
                       labels.data());
        return labels;
    }

private:
    faiss::IndexFlatIP m_index;
};

std::vector<std::vector<Hit>> search(const VectorIndex& index, std::span<const float> queries, int threads = 1) {
    Query query{"default", queries, kCandidates};
    query.maxThreads = threads;
    auto answer = index.snapshot()->search(query);
    if (!answer)
        std::abort();
    return std::move(answer->hits);
}

double recallAgainst(const std::vector<faiss::Index::idx_t>& labels, const std::vector<std::vector<Hit>>& hits) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const auto face = faceOf(static_cast<std::size_t>(labels[i]));
        found += std::any_of(hits[i / kCandidates].begin(), hits[i / kCandidates].end(),
                             [&](const Hit& hit) { return hit.face == face; });
    }
    return static_cast<double>(found) / static_cast<double>(labels.size());
}

struct Runner {
    std::string name;
    std::function<void(std::span<const float>)> run;
    std::vector<double> times{};
    std::vector<double> cpuTimes{}; ///< of all threads: what other programs do meanwhile counts less
};

/// Each round asks every runner in turn, each time a fresh query of its own.
void takeTurns(std::vector<Runner>& runners, const Setup& setup, std::size_t queriesAtOnce, int rounds) {
    const Vectors vectors(setup.dimension);
    std::size_t next = kFirstQuery;
    for (int round = -1; round < rounds; ++round) // the first warms up
        for (auto& runner : runners) {
            const auto queries = vectors.some(next += queriesAtOnce, queriesAtOnce);
            const double cpuBefore = cpuMilliseconds();
            const double time = millisecondsOf([&] { runner.run(queries); });
            const double cpuTime = cpuMilliseconds() - cpuBefore;
            if (round < 0)
                continue;
            runner.times.push_back(time / static_cast<double>(queriesAtOnce));
            runner.cpuTimes.push_back(cpuTime / static_cast<double>(queriesAtOnce));
        }
}

double medianRatio(const std::vector<double>& above, const std::vector<double>& below) {
    std::vector<double> ratios; // pairs of one round
    for (std::size_t i = 0; i < below.size(); ++i)
        ratios.push_back(above[i] / below[i]);
    return median(ratios);
}

void print(const std::string& title, const std::vector<Runner>& runners, std::size_t against, double bytes) {
    std::printf(
        "\n%s\n\n| what | ms per query | CPU ms | times faster than FAISS | by CPU time | GB/s of float rows |\n"
        "|---|---:|---:|---:|---:|---:|\n",
        title.c_str());
    for (const auto& runner : runners)
        std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.1f |\n", runner.name.c_str(), median(runner.times),
                    median(runner.cpuTimes), medianRatio(runners[against].times, runner.times),
                    medianRatio(runners[against].cpuTimes, runner.cpuTimes), bytes / median(runner.times) / 1e6);
    std::fflush(stdout);
}

/// All that is compared, loaded beforehand.
struct Contestants {
    explicit Contestants(const Setup& setup)
        : bytes(static_cast<double>(setup.rows) * setup.dimension * sizeof(float)) {
        std::jthread other([&] {
            flat = filled(setup, Engine::Flat, FloatRows::Memory, 1);
            loop = std::make_unique<ReadLoop>(static_cast<std::size_t>(bytes));
        });
        sq8 = filled(setup, Engine::Sq8, FloatRows::Memory, 1);
        faiss = std::make_unique<Faiss>(setup);
    }
    double bytes;
    std::unique_ptr<VectorIndex> flat;
    std::unique_ptr<VectorIndex> sq8;
    std::unique_ptr<ReadLoop> loop;
    std::unique_ptr<Faiss> faiss;
};

Runner runner(std::string name, const VectorIndex& index, int threads) {
    return {std::move(name),
            [&index, threads](std::span<const float> queries) { (void)search(index, queries, threads); }};
}

void singles(const Setup& setup, const Contestants& all) {
    for (const int threads : {1, 2}) {
        std::vector<Runner> runners{
            {"read loop", [&](auto) { all.loop->run(threads); }},
            runner("flat", *all.flat, threads),
            {"FAISS (always one thread)", [&](auto queries) { (void)all.faiss->search(queries, 1); }},
            runner("sq8", *all.sq8, threads)};
        takeTurns(runners, setup, 1, setup.rounds);
        print("Single query, k = 10, " + std::to_string(threads) + " thread(s)", runners, 2, all.bytes);
        std::printf("\nflat reaches %.2f of the read loop (%.2f by CPU time).\n",
                    medianRatio(runners[0].times, runners[1].times),
                    medianRatio(runners[0].cpuTimes, runners[1].cpuTimes));
    }
    const auto queries = Vectors(setup.dimension).some(kFirstQuery * 2, 40);
    const auto labels = all.faiss->search(queries, 2);
    const auto flat = search(*all.flat, queries, 2);
    const auto sq8 = search(*all.sq8, queries, 2);
    std::printf("\nrecall@10 against FAISS: flat %.4f, sq8 %.4f; flat and sq8 answer %s.\n",
                recallAgainst(labels, flat), recallAgainst(labels, sq8), sq8 == flat ? "the same bits" : "DIFFERENTLY");
}

void batches(const Setup& setup, const Contestants& all) {
    for (const int threads : {1, 2}) {
        std::vector<Runner> runners{{"FAISS + BLAS", [&](auto queries) { (void)all.faiss->search(queries, threads); }},
                                    runner("flat", *all.flat, threads),
                                    runner("sq8", *all.sq8, threads)};
        takeTurns(runners, setup, kBatch, std::max(3, setup.rounds / 2));
        print("64 queries at once, " + std::to_string(threads) + " thread(s)", runners, 0, all.bytes);
    }
}

/// One row at a time is removed and added again while another thread searches without pause.
void writes(const Setup& setup, Engine engine, const char* name) {
    const auto index = filled(setup, engine, FloatRows::Memory, 0);
    waitForEnter(setup);
    const Vectors vectors(setup.dimension);
    std::atomic<bool> stop{false};
    std::vector<double> searches;
    std::jthread searcher([&] {
        for (std::size_t i = 0; !stop; ++i) {
            const auto query = vectors.some(kFirstQuery + i, 1);
            searches.push_back(millisecondsOf([&] { (void)search(*index, query); }));
        }
    });
    std::vector<double> adds;
    std::vector<double> removals;
    std::vector<double> snapshots;
    std::mt19937_64 random(1);
    std::string face;
    const auto until = Clock::now() + std::chrono::seconds(8);
    for (std::size_t added = setup.rows; Clock::now() < until;) {
        const auto fresh = vectors.some(added, 1);
        const Row row = rowOf(face, added++, fresh);
        adds.push_back(millisecondsOf([&] { (void)!index->add(row); }));
        std::string gone;
        const Row old = rowOf(gone, random() % added, fresh);
        removals.push_back(millisecondsOf([&] { index->removeFace(old.address); }));
        snapshots.push_back(millisecondsOf([&] { (void)index->snapshot(); }));
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    stop = true;
    searcher.join();
    std::printf("| %s | %zu | %.4f / %.4f / %.3f | %.4f / %.4f / %.3f | %.4f / %.4f | %.1f / %.1f |\n", name,
                adds.size(), median(adds), percentile(adds, 0.99), percentile(adds, 1), median(removals),
                percentile(removals, 0.99), percentile(removals, 1), median(snapshots), percentile(snapshots, 0.99),
                median(searches), percentile(searches, 0.99));
    std::fflush(stdout);
}

/// Kilobytes of a line of /proc/self/status.
double status(const std::string& field) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(field + ":"))
            return std::stod(line.substr(field.size() + 1));
    return 0;
}

void memory(const Setup& setup, Engine engine, FloatRows floatRows, const char* name) {
    malloc_trim(0);
    const double anonymousBefore = status("RssAnon");
    const double fileBefore = status("RssFile") + status("RssShmem");
    const auto begin = Clock::now();
    const auto index = filled(setup, engine, floatRows, 0);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto queries = Vectors(setup.dimension).some(kFirstQuery, 5);
    for (std::size_t i = 0; i < 5; ++i)
        (void)search(*index, std::span(queries).subspan(i * static_cast<std::size_t>(setup.dimension),
                                                        static_cast<std::size_t>(setup.dimension)));
    const auto perRow = [&](double kilobytes) { return kilobytes * 1024 / static_cast<double>(setup.rows); };
    std::printf("| %s | %.0f | %.0f | %.0f | %.1f |\n", name, perRow(status("RssAnon") - anonymousBefore),
                perRow(status("RssFile") + status("RssShmem") - fileBefore),
                static_cast<double>(index->memoryBytes()) / static_cast<double>(setup.rows), seconds);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    Setup setup;
    if (argc > 1)
        setup.rows = std::stoul(argv[1]);
    if (argc > 2)
        setup.dimension = std::stoi(argv[2]);
    if (argc > 3)
        setup.rounds = std::stoi(argv[3]);
    if (argc > 4)
        setup.parts = argv[4];
    setup.pause = argc > 5 && std::string_view(argv[5]) == "pause";
    std::printf("%zu rows of %d floats, %u CPUs, kernels %s\n", setup.rows, setup.dimension,
                std::thread::hardware_concurrency(), std::string(VectorIndex::instructionSet()).c_str());
    const auto blas = openBlas<const char*()>("openblas_get_config");
    std::printf("BLAS: %s\n", blas != nullptr ? blas() : "not OpenBLAS; do not compare with it");
    if (setup.wants("memory")) {
        std::printf(
            "\n| engine | RssAnon bytes per vector | RssFile bytes per vector | memoryBytes() per vector | load s |\n"
            "|---|---:|---:|---:|---:|\n");
        memory(setup, Engine::Flat, FloatRows::Memory, "flat");
        memory(setup, Engine::Sq8, FloatRows::Memory, "sq8, float rows in memory");
        memory(setup, Engine::Sq8, FloatRows::File, "sq8, float rows in a file");
    }
    if (setup.wants("write")) {
        std::printf("\n| engine | writes of each kind | add ms p50 / p99 / max | remove ms p50 / p99 / max | snapshot "
                    "ms p50 / p99 | "
                    "search ms p50 / p99 meanwhile |\n|---|---:|---:|---:|---:|---:|\n");
        writes(setup, Engine::Flat, "flat");
        writes(setup, Engine::Sq8, "sq8");
    }
    if (setup.wants("scan") || setup.wants("batch")) {
        const Contestants all(setup);
        waitForEnter(setup);
        if (setup.wants("scan"))
            singles(setup, all);
        if (setup.wants("batch"))
            batches(setup, all);
    }
    return 0;
}
