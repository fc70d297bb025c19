#include "shared/metrics/registry.h"

#include "shared/base/log.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace fremis::metrics {

namespace {

std::string numberText(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

/// Escapes for help texts (backslash, line feed) and label values (also the quote).
std::string escaped(std::string_view text, bool quotes) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '\\' || (quotes && c == '"'))
            out += '\\';
        out += c;
    }
    return out;
}

void writeSample(std::string& out, std::string_view name, const Labels& labels, std::string_view value) {
    out += name;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        out += i == 0 ? '{' : ',';
        out.append(labels[i].first).append("=\"").append(escaped(labels[i].second, true)).append("\"");
    }
    if (!labels.empty())
        out += '}';
    out.append(" ").append(value).append("\n");
}

void writeTimer(std::string& out, const std::string& name, const WindowTimer& timer) {
    const auto snapshot = timer.snapshot();
    for (std::size_t i = 0; i < kQuantiles.size(); ++i)
        writeSample(out, name, {{"quantile", std::string(kQuantiles[i].label)}}, numberText(snapshot.milliseconds[i]));
    writeSample(out, name + "_sum", {}, numberText(snapshot.sumMilliseconds));
    writeSample(out, name + "_count", {}, std::to_string(snapshot.count));
}

} // namespace

Registry::Family& Registry::family(std::string_view name, std::string_view help, Kind kind) {
    auto found = m_families.find(name);
    if (found == m_families.end())
        found = m_families.emplace(name, Family{kind, std::string(help), {}, {}, nullptr, nullptr}).first;
    if (found->second.kind != kind) {
        base::log(base::LogLevel::Error, "metric_kind_mismatch", {{"metric", name}});
        std::abort();
    }
    return found->second;
}

template<class T> T& Registry::seriesOf(std::map<Labels, std::unique_ptr<T>>& series, const Labels& labels) {
    auto found = series.find(labels);
    if (found == series.end()) {
        Labels key = labels;
        if (series.size() >= kMaxSeries)
            for (auto& label : key)
                label.second = "other";
        found = series.try_emplace(std::move(key), nullptr).first;
        if (!found->second)
            found->second = std::make_unique<T>();
    }
    return *found->second;
}

Counter& Registry::counter(std::string_view name, std::string_view help, const Labels& labels) {
    const std::scoped_lock lock(m_mutex);
    return seriesOf(family(name, help, Kind::Counter).counters, labels);
}

Gauge& Registry::gauge(std::string_view name, std::string_view help, const Labels& labels) {
    const std::scoped_lock lock(m_mutex);
    return seriesOf(family(name, help, Kind::Gauge).gauges, labels);
}

WindowTimer& Registry::timer(std::string_view name, std::string_view help) {
    const std::scoped_lock lock(m_mutex);
    auto& timer = family(name, help, Kind::Timer).timer;
    if (!timer)
        timer = std::make_unique<WindowTimer>(m_clock);
    return *timer;
}

void Registry::gaugeFunction(std::string_view name, std::string_view help, std::function<double()> read) {
    const std::scoped_lock lock(m_mutex);
    family(name, help, Kind::GaugeFunction).read = std::make_shared<const std::function<double()>>(std::move(read));
}

void Registry::declareCounter(std::string_view name, std::string_view help) {
    const std::scoped_lock lock(m_mutex);
    family(name, help, Kind::Counter);
}

void Registry::declareGauge(std::string_view name, std::string_view help) {
    const std::scoped_lock lock(m_mutex);
    family(name, help, Kind::Gauge);
}

void Registry::removeGauge(std::string_view name, const Labels& labels) {
    const std::scoped_lock lock(m_mutex);
    if (const auto found = m_families.find(name); found != m_families.end())
        found->second.gauges.erase(labels);
}

void Registry::writeFamily(std::string& out, const std::string& name, const Family& family) {
    const bool timer = family.kind == Kind::Timer;
    out.append("# HELP ").append(name).append(" ").append(escaped(family.help, false)).append("\n# TYPE ").append(name);
    out += timer ? " summary\n" : family.kind == Kind::Counter ? " counter\n" : " gauge\n";
    if (timer)
        writeTimer(out, name, *family.timer);
    for (const auto& [labels, counter] : family.counters)
        writeSample(out, name, labels, std::to_string(counter->value()));
    for (const auto& [labels, gauge] : family.gauges)
        writeSample(out, name, labels, numberText(gauge->value()));
}

std::string Registry::prometheusText() const {
    // The functions may take other locks, so they run before this one is taken.
    std::map<std::string, std::shared_ptr<const std::function<double()>>> functions;
    {
        const std::scoped_lock lock(m_mutex);
        for (const auto& [name, family] : m_families)
            if (family.read)
                functions.emplace(name, family.read);
    }
    std::map<std::string, double> read;
    for (const auto& [name, function] : functions)
        read.emplace(name, (*function)());

    std::string out;
    const std::scoped_lock lock(m_mutex);
    for (const auto& [name, family] : m_families) {
        writeFamily(out, name, family);
        if (const auto value = read.find(name); value != read.end())
            writeSample(out, name, {}, numberText(value->second));
    }
    return out;
}

} // namespace fremis::metrics
