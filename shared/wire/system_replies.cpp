#include "shared/base/clock.h"
#include "shared/wire/json_writer.h"
#include "shared/wire/replies.h"
#include "shared/wire/reply_parts.h"

#include <algorithm>
#include <array>

namespace fremis::wire {

namespace {

struct StatusText {
    int status;
    std::string_view message;
};

// 400, 500 and 429 as existing clients know them, the rest as RFC 9110 names them, in lower case.
constexpr std::array kStatusTexts{
    StatusText{400, "invalid arguments"},
    StatusText{401, "unauthorized"},
    StatusText{403, "forbidden"},
    StatusText{404, "not found"},
    StatusText{405, "method not allowed"},
    StatusText{408, "request timeout"},
    StatusText{409, "conflict"},
    StatusText{412, "precondition failed"},
    StatusText{413, "content too large"},
    StatusText{414, "uri too long"},
    StatusText{415, "unsupported media type"},
    StatusText{417, "expectation failed"},
    StatusText{421, "misdirected request"},
    StatusText{428, "precondition required"},
    StatusText{429, "Too many requests"},
    StatusText{431, "request header fields too large"},
    StatusText{500, "internal server error"},
    StatusText{501, "not implemented"},
    StatusText{502, "bad gateway"},
    StatusText{503, "service unavailable"},
    StatusText{504, "gateway timeout"},
    StatusText{507, "insufficient storage"},
};

void writeState(JsonWriter& json, const Health& health) {
    json.member("state", health.state).member("loaded_percent", health.loadedPercent).member("role", health.role);
}

void writeCpu(JsonWriter& json, const ResourceStats& stats) {
    json.key("cpu").beginObject().member("cores", stats.cpu.cores).member("percent", stats.cpu.percent);
    json.member("process_percent", stats.cpu.processPercent).endObject();
}

void writeRam(JsonWriter& json, const ResourceStats& stats) {
    json.key("ram").beginObject().member("total_bytes", stats.ram.totalBytes).member("used_bytes", stats.ram.usedBytes);
    json.member("available_bytes", stats.ram.availableBytes).member("percent", stats.ram.percent).endObject();
}

void writeProcess(JsonWriter& json, const ResourceStats& stats) {
    json.key("process")
        .beginObject()
        .member("rss_bytes", stats.process.rssBytes)
        .member("threads", stats.process.threads);
    json.member("open_fds", stats.process.openFds).endObject();
}

void writeDisk(JsonWriter& json, const ResourceStats& stats) {
    json.key("disk")
        .beginObject()
        .member("total_bytes", stats.disk.totalBytes)
        .member("free_bytes", stats.disk.freeBytes);
    json.member("percent", stats.disk.percent).member("data_bytes", stats.disk.dataBytes);
    json.member("queue_bytes", stats.disk.queueBytes).endObject();
}

} // namespace

std::string toJson(const Health& health) {
    JsonWriter json;
    json.beginObject();
    writeState(json, health);
    json.member("version", health.version)
        .member("time", base::isoTime(health.time))
        .member("uptime_s", health.uptimeSeconds);
    json.member("vectors_loaded", health.vectorsLoaded).member("vectors_expected", health.vectorsExpected);
    writeRanges(json, "partitions", health.partitions);
    json.member("space", health.space).member("client_auth", health.clientAuth);
    writeIfSet(json, "internal_port", health.internalPort);
    writeIfSet(json, "instance", health.instance);
    writeIfSet(json, "partitions_searchable", health.partitionsSearchable);
    writeIfSet(json, "complete", health.complete);
    writeIfSet(json, "config_epoch", health.configEpoch);
    return json.endObject().take();
}

std::string notReadyMembers(const Health& health) {
    JsonWriter json;
    json.beginObject();
    writeState(json, health);
    return withoutBraces(json.endObject().take());
}

std::string toJson(const LimitUsage& usage) {
    JsonWriter json;
    json.beginObject();
    json.member("current_enrollment", usage.currentEnrollment).member("maximum_enrollment", usage.maximumEnrollment);
    json.member("current_keyspace", usage.currentKeyspace).member("maximum_keyspace", usage.maximumKeyspace);
    json.member("current_anonymous_enrollment", 0).member("maximum_anonymous_enrollment", 0); // not offered
    return json.endObject().take();
}

std::string toJson(const LoadedVectors& loaded) {
    JsonWriter json;
    json.beginObject().member("state", loaded.state).member("loaded_percent", loaded.loadedPercent);
    json.member("space", loaded.space).member("dim", loaded.dim).member("index", loaded.index);
    writeRanges(json, "owned", loaded.owned);
    json.member("total", loaded.total).member("faces", loaded.faces).member("memory_bytes", loaded.memoryBytes);
    writeList(json, "partitions", loaded.partitions, [&](const PartitionLoad& one) {
        json.beginObject()
            .member("partition", one.partition)
            .member("vectors", one.vectors)
            .member("faces", one.faces)
            .endObject();
    });
    writeList(json, "keyspaces", loaded.keyspaces, [&](const KeyspaceLoad& one) {
        json.beginObject()
            .member("keyspace", one.keyspace.text())
            .member("vectors", one.vectors)
            .member("faces", one.faces)
            .endObject();
    });
    if (loaded.nodes)
        writeList(json, "nodes", *loaded.nodes, [&](const NodeLoad& node) {
            json.beginObject()
                .member("address", node.address)
                .member("state", node.state)
                .member("total", node.total)
                .endObject();
        });
    writeIfSet(json, "complete", loaded.complete);
    return json.endObject().take();
}

std::string toJson(const ResourceStats& stats) {
    JsonWriter json;
    json.beginObject().member("timestamp", base::isoTime(stats.timestamp));
    writeCpu(json, stats);
    writeRam(json, stats);
    writeProcess(json, stats);
    writeDisk(json, stats);
    writeList(json, "gpu", stats.gpu, [&](const GpuStats& gpu) {
        json.beginObject().member("index", gpu.index).member("name", gpu.name).member("util_percent", gpu.utilPercent);
        json.member("memory_total_bytes", gpu.memoryTotalBytes)
            .member("memory_used_bytes", gpu.memoryUsedBytes)
            .endObject();
    });
    return json.endObject().take();
}

std::string_view statusMessage(int status) {
    const auto* const found = std::ranges::find(kStatusTexts, status, &StatusText::status);
    return found != kStatusTexts.end() ? found->message : "error";
}

std::string errorBody(const base::Error& error, std::string_view requestId, std::string_view extraMembers) {
    const auto message = statusMessage(error.status());
    JsonWriter json;
    json.beginObject().member("code", std::to_string(error.status())).member("message", message);
    json.member("description", error.message.empty() ? message : std::string_view(error.message));
    json.member("error", error.token()).member("request_id", requestId.empty() ? std::string_view("-") : requestId);
    if (!extraMembers.empty())
        json.raw(extraMembers);
    return json.endObject().take();
}

} // namespace fremis::wire
