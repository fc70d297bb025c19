#include "server/app/ring_command.h"

#include "server/app/ring_demos.h"
#include "server/app/ring_help.h"
#include "server/app/ring_reports.h"
#include "shared/hashing/vectors.h"

#include <exception>
#include <iostream>
#include <map>

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

namespace fremis::app {

namespace ring {

namespace {

using Command = Outcome<Report> (*)(const Streams&, const Options&);

Outcome<Report> vectorsReport(const Streams& streams, const Options& options) {
    const auto checks = hashing::checkVectors(progressOn(streams, options, "checking"));
    Table table{"vectors",
                "",
                {{"group", "group"}, {"name", "name"}, {"expected", "expected"}, {"actual", "actual"}, {"ok", "ok"}},
                {}};
    std::uint64_t failed = 0;
    for (const hashing::VectorCheck& check : checks) {
        table.rows.push_back({check.group, check.name, check.expected, check.actual, check.passes()});
        failed += check.passes() ? 0 : 1;
    }
    Report report{"ring-vectors",
                  {{"checked", "vectors checked", std::uint64_t{checks.size()}}, {"failed", "failed", failed}},
                  {},
                  {}};
    report.tables.push_back(std::move(table));
    return report;
}

const std::map<std::string_view, Command>& commands() {
    static const std::map<std::string_view, Command> kCommands{
        {"partition", partitionReport}, {"locate", locateReport},   {"report", balanceReport},  {"diff", diffReport},
        {"simulate", simulateReport},   {"compare", compareReport}, {"vectors", vectorsReport}, {"demo", demoReport},
    };
    return kCommands;
}

int fail(const Streams& streams, const Fault& fault) {
    streams.err << "fremis_n_app ring: " << fault.message << '\n';
    if (fault.exit == Exit::Usage)
        streams.err << "Try 'fremis_n_app ring --help'.\n";
    return static_cast<int>(fault.exit);
}

bool anyFailed(const Report& report) {
    for (const Fact& fact : report.facts)
        if (fact.key == "failed")
            return std::get<std::uint64_t>(fact.value) != 0;
    return false;
}

int run(const Streams& streams, std::span<const std::string> args) {
    if (args.empty() || args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
        streams.out << helpText(args.size() > 1 ? args[1] : "");
        return static_cast<int>(args.empty() ? Exit::Usage : Exit::Ok);
    }
    const auto command = commands().find(args[0]);
    if (command == commands().end())
        return fail(streams, {Exit::Usage, "there is no command '" + args[0] + "'"});
    const auto options = parseOptions(args.subspan(1));
    if (!options)
        return fail(streams, options.error());
    if (options->help) {
        streams.out << helpText(args[0]);
        return static_cast<int>(Exit::Ok);
    }
    const auto report = command->second(streams, *options);
    if (!report)
        return fail(streams, report.error());
    write(streams.out, *report, options->format);
    streams.out.flush();
    if (!streams.out)
        return fail(streams, {Exit::CheckFailed, "the output could not be written"});
    return static_cast<int>(anyFailed(*report) ? Exit::CheckFailed : Exit::Ok);
}

} // namespace

int runOn(const Streams& streams, std::span<const std::string> args) {
    try {
        return run(streams, args);
    } catch (const std::exception& failure) { // memory, file systems
        return fail(streams, {Exit::CheckFailed, failure.what()});
    }
}

} // namespace ring

int runRingCommand(std::span<const std::string> args) {
#if defined(_WIN32)
    const bool terminal = _isatty(2) != 0;
#else
    const bool terminal = isatty(STDERR_FILENO) != 0;
#endif
    return ring::runOn({std::cout, std::cerr, terminal}, args);
}

} // namespace fremis::app
