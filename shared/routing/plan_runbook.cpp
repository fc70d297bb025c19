#include "shared/routing/plan_output.h"
#include "shared/wire/json_writer.h"

#include <cmath>
#include <cstdio>

namespace fremis::routing {

namespace {

// The runbook's sentences; %1, %2 ... are filled in.
struct Texts {
    std::string_view title, summary, moved, noData, time, epochs, balance, before, beforeSteps, start, startNode, moves, wave, waveSteps, drops,
        config, configSteps, verify, verifySteps, back, backSteps, stop, warnings, nodes, nodesHeader, movesHeader;
};

constexpr Texts kEnglish{
    "# Rebalance plan: %1\n",
    "\n## Summary\n\n",
    "* Copies to move: %1 (%2)\n",
    "* Vector counts were not given: volume and time are unknown.\n",
    "* Vectors to copy: %1, about %2 MB, in %3 waves; about %4 at %5 vectors/s per move\n",
    "* Map epoch: `%1` before, `%2` after\n",
    "* Fullest node against the mean, by partitions: %1 before, %2 after\n",
    "\n## 1. Before you start\n\n",
    "- [ ] Every node is ACTIVE and no write queue is filled: `GET /v1/cluster/nodes`, `GET /v1/cluster/queue`\n"
    "- [ ] The running map is the one this plan starts from: `config_epoch` of `GET /v1/cluster/status` is `%1`\n"
    "- [ ] A copy of config.yml and of this plan's JSON is kept\n"
    "- [ ] A backup of each worker's database is at hand\n",
    "\n## 2. Start the new nodes\n\n",
    "- [ ] Start %1 with `%2`; wait until `/readyz` answers 200\n",
    "\n## %1. Move the data\n",
    "\n### Wave %1 of %2\n\n",
    "\n- [ ] Sign and send: `POST /v1/cluster/moves` with `%1`\n"
    "- [ ] Wait until `GET /v1/cluster/moves` shows each of them `done`\n"
    "- [ ] Compare counts: `GET /v1/loaded-vectors` of both nodes agrees for these partitions\n",
    "\n### Copies that are no longer wanted\n\nThey are erased by their nodes after the new map is in force; nothing has to be sent.\n\n",
    "\n## %1. Put the new map in force\n\n",
    "- [ ] Replace config.yml by the planned one, in one step (write beside it, rename), or `PUT /v1/cluster/config` with "
    "`If-Match: \"<present epoch>\"`\n"
    "- [ ] `POST /v1/cluster/reload`; the reply names epoch `%1`\n"
    "- [ ] Do the same for every other coordinator\n",
    "\n## %1. Verify\n\n",
    "- [ ] `GET /v1/cluster/status`: `partitions_searchable` is 256, `partitions_at_risk` is empty\n"
    "- [ ] A recognition answers with `coverage.complete: true` and the same `vectors_searched` as before\n",
    "\n## %1. The way back\n\n",
    "At any point before the new map is in force: cancel the running moves (`POST /v1/cluster/moves/{id}/cancel`); the old map stays "
    "valid.\nAfterwards: `fremis_n_app plan diff --reverse <this plan>.json` gives the plan back to epoch `%1`.\n",
    "- [ ] Stop %1, once it holds no partition\n",
    "\n## Warnings\n\n",
    "\n## Nodes\n\n",
    "| node | partitions before | partitions after | ranges after | in | out |\n|---|---|---|---|---|---|\n",
    "| partitions | from | to | vectors | reason |\n|---|---|---|---|---|\n"};

constexpr Texts kIndonesian{
    "# Rencana penyeimbangan ulang: %1\n",
    "\n## Ringkasan\n\n",
    "* Salinan yang dipindahkan: %1 (%2)\n",
    "* Jumlah vektor tidak diberikan: volume dan waktu tidak diketahui.\n",
    "* Vektor yang disalin: %1, sekitar %2 MB, dalam %3 gelombang; sekitar %4 pada %5 vektor/dtk per pemindahan\n",
    "* Epoch peta: `%1` sebelum, `%2` sesudah\n",
    "* Node terpenuh terhadap rata-rata, menurut partisi: %1 sebelum, %2 sesudah\n",
    "\n## 1. Sebelum mulai\n\n",
    "- [ ] Semua node ACTIVE dan tidak ada antrean tulis yang terisi: `GET /v1/cluster/nodes`, `GET /v1/cluster/queue`\n"
    "- [ ] Peta yang berjalan adalah peta awal rencana ini: `config_epoch` pada `GET /v1/cluster/status` adalah `%1`\n"
    "- [ ] Salinan config.yml dan JSON rencana ini disimpan\n"
    "- [ ] Cadangan basis data setiap worker tersedia\n",
    "\n## 2. Jalankan node baru\n\n",
    "- [ ] Jalankan %1 dengan `%2`; tunggu sampai `/readyz` menjawab 200\n",
    "\n## %1. Pindahkan data\n",
    "\n### Gelombang %1 dari %2\n\n",
    "\n- [ ] Tanda tangani dan kirim: `POST /v1/cluster/moves` dengan `%1`\n"
    "- [ ] Tunggu sampai `GET /v1/cluster/moves` menunjukkan semuanya `done`\n"
    "- [ ] Bandingkan jumlah: `GET /v1/loaded-vectors` kedua node sama untuk partisi-partisi ini\n",
    "\n### Salinan yang tidak diperlukan lagi\n\nNode menghapusnya sendiri setelah peta baru berlaku; tidak ada yang perlu dikirim.\n\n",
    "\n## %1. Berlakukan peta baru\n\n",
    "- [ ] Ganti config.yml dengan yang direncanakan, dalam satu langkah (tulis di sampingnya, lalu rename), atau "
    "`PUT /v1/cluster/config` dengan `If-Match: \"<epoch sekarang>\"`\n"
    "- [ ] `POST /v1/cluster/reload`; jawabannya menyebut epoch `%1`\n"
    "- [ ] Lakukan hal yang sama pada setiap coordinator lain\n",
    "\n## %1. Periksa\n\n",
    "- [ ] `GET /v1/cluster/status`: `partitions_searchable` adalah 256, `partitions_at_risk` kosong\n"
    "- [ ] Sebuah pengenalan menjawab dengan `coverage.complete: true` dan `vectors_searched` yang sama seperti sebelumnya\n",
    "\n## %1. Jalan kembali\n\n",
    "Kapan pun sebelum peta baru berlaku: batalkan pemindahan yang berjalan (`POST /v1/cluster/moves/{id}/cancel`); peta lama tetap "
    "berlaku.\nSesudahnya: `fremis_n_app plan diff --reverse <rencana ini>.json` memberi rencana kembali ke epoch `%1`.\n",
    "- [ ] Hentikan %1 setelah tidak memegang partisi lagi\n",
    "\n## Peringatan\n\n",
    "\n## Node\n\n",
    "| node | partisi sebelum | partisi sesudah | rentang sesudah | masuk | keluar |\n|---|---|---|---|---|---|\n",
    "| partisi | dari | ke | vektor | alasan |\n|---|---|---|---|---|\n"};

std::string filled(std::string_view text, std::initializer_list<std::string> values) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t number = i + 1 < text.size() ? static_cast<std::size_t>(text[i + 1] - '1') : values.size();
        if (text[i] == '%' && number < values.size()) {
            out += *(values.begin() + static_cast<std::ptrdiff_t>(number));
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string decimal(double value, int digits) {
    char text[32] = {};
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string duration(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    char text[48] = {};
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    return text;
}

// Text from the operator inside a Markdown table.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<' || c == '[')
            out += '\\';
        out += c;
    }
    return out;
}

class Runbook {
public:
    Runbook(const Plan& plan, const Texts& texts) : m_plan(plan), m_texts(texts), m_groups(groupMoves(plan)) {}

    std::string run() {
        add(m_texts.title, {cell(m_plan.command)});
        addSummary();
        addNodes();
        add(m_texts.before, {});
        add(m_texts.beforeSteps, {m_plan.epochBefore});
        int section = addNewNodes() ? 3 : 2;
        if (!m_plan.moves.empty()) {
            add(m_texts.moves, {std::to_string(section++)});
            for (int wave = 1; wave <= m_plan.figures.waves; ++wave)
                addWave(wave);
        }
        add(m_texts.config, {std::to_string(section++)});
        add(m_texts.configSteps, {m_plan.epochAfter});
        add(m_texts.verify, {std::to_string(section++)});
        add(m_texts.verifySteps, {});
        for (const PlanNode& node : m_plan.nodes)
            if (node.after.none() && node.before.any())
                add(m_texts.stop, {cell(node.label())});
        add(m_texts.back, {std::to_string(section)});
        add(m_texts.backSteps, {m_plan.epochBefore});
        return std::move(m_text);
    }

private:
    void add(std::string_view text, std::initializer_list<std::string> values) { m_text += filled(text, values); }

    void addSummary() {
        const PlanFigures& f = m_plan.figures;
        add(m_texts.summary, {});
        add(m_texts.moved, {std::to_string(f.moved), m_plan.proof});
        if (m_plan.vectors)
            add(m_texts.time, {std::to_string(f.vectorsMoved), decimal(static_cast<double>(f.bytesMoved) / 1e6, 1), std::to_string(f.waves),
                               duration(f.seconds), decimal(m_plan.rates.vectorsPerSecond, 0)});
        else
            add(m_texts.noData, {});
        add(m_texts.balance, {decimal(f.maxOverMeanBefore, 3), decimal(f.maxOverMeanAfter, 3)});
        add(m_texts.epochs, {m_plan.epochBefore, m_plan.epochAfter});
        if (m_plan.warnings.empty())
            return;
        add(m_texts.warnings, {});
        for (const Wording& warning : m_plan.warnings)
            m_text += "* " + cell(warning.text()) + "\n";
    }

    void addNodes() {
        add(m_texts.nodes, {});
        m_text += m_texts.nodesHeader;
        for (const PlanNode& node : m_plan.nodes)
            m_text += "| " + cell(node.label()) + " | " + std::to_string(node.before.count()) + " | " + std::to_string(node.after.count()) +
                      " | " + rangesText(node.after) + " | " + std::to_string(node.movesIn) + " | " + std::to_string(node.movesOut) + " |\n";
    }

    // A new worker starts with the ranges it will own; it fills when the data comes.
    bool addNewNodes() {
        bool any = false;
        for (const PlanNode& node : m_plan.nodes) {
            if (node.role != PlanNode::Role::Joins)
                continue;
            if (!any)
                add(m_texts.start, {});
            any = true;
            std::string flags;
            for (const Range& range : rangesOf(node.after))
                flags += (flags.empty() ? "" : " ") + std::string("--partition-start ") + std::to_string(range.first) +
                         " --partition-end " + std::to_string(range.last);
            add(m_texts.startNode, {cell(node.label()), flags});
        }
        return any;
    }

    void addWave(int wave) {
        std::string rows;
        wire::JsonWriter body;
        body.beginObject().key("moves").beginArray();
        bool copies = false;
        for (const MoveGroup& group : m_groups) {
            if (group.wave != wave)
                continue;
            rows += "| " + rangesText(group.partitions) + " | " + cell(group.from.text()) + " | " +
                    (group.to ? cell(group.to->text()) : std::string("-")) + " | " +
                    (m_plan.vectors ? std::to_string(group.vectors) : std::string("-")) + " | " + cell(group.reason.text()) + " |\n";
            if (!group.to)
                continue;
            copies = true;
            body.beginObject().key("partitions").beginArray();
            for (std::size_t p = 0; p < group.partitions.size(); ++p)
                if (group.partitions[p])
                    body.value(p);
            body.endArray().member("from", group.from.text()).member("to", group.to->text()).endObject();
        }
        body.endArray().endObject();
        if (copies)
            add(m_texts.wave, {std::to_string(wave), std::to_string(m_plan.figures.waves)});
        else
            m_text += m_texts.drops;
        m_text += m_texts.movesHeader;
        m_text += rows;
        if (copies)
            add(m_texts.waveSteps, {body.take()});
    }

    const Plan& m_plan;
    const Texts& m_texts;
    std::vector<MoveGroup> m_groups;
    std::string m_text;
};

} // namespace

std::string planRunbook(const Plan& plan, Language language) {
    return Runbook(plan, language == Language::English ? kEnglish : kIndonesian).run();
}

} // namespace fremis::routing
