using System.Runtime.InteropServices;
using Transfer.Wan.Commands;
using Transfer.Wan.Scenarios.Catalog;

const string usage = """
    Transfer.Wan REPORT [--quick] [--rounds N] [--only SCENARIO] [--rewrite] [--netem] [--congestion NAME|system] [--out DIR]
        measures over emulated links and writes docs/reports/REPORT.md; reports: {0}
    Transfer.Wan link [--rtt MS] [--rate MBIT] [--jitter MS] [--loss PERCENT] [--queue KIB] [--netem] [--congestion NAME] [--far LINE] [-- COMMAND ...]
        runs a command at the near end (10.77.0.1) of a link; --far is a shell line for the far end (10.77.0.2)
    Transfer.Wan model [--out DIR]
        computes what 100 million files take with up to 50 workers, and writes docs/reports/model.md
    Transfer.Wan client NAME ...
        the clients that are part of this program
    """;

using var stop = new CancellationTokenSource();
void Stop(PosixSignalContext signal)
{
    // The end is ours to bring about, servers and link included.
    signal.Cancel = true;
    stop.Cancel();
}

using var interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
try
{
    return args switch
    {
        ["client", .. var rest] => await ClientDispatch.RunAsync(rest),
        ["model", .. var rest] => await ModelCommand.RunAsync(rest),
        ["link", .. var rest] => await LinkCommand.RunAsync(LinkOptions.Parse(rest), stop.Token),
        [var name, .. var rest] when AllReports.Find(name) is { } report =>
            await ReportCommand.RunAsync(report, ReportOptions.Parse(name, rest), stop.Token),
        [var name, ..] => throw new UsageException($"There is no report {name}."),
        _ => throw new UsageException("Which report?"),
    };
}
catch (UsageException error)
{
    await Console.Error.WriteLineAsync(
        $"{error.Message}\n{string.Format(System.Globalization.CultureInfo.InvariantCulture, usage, string.Join(", ", AllReports.All.Select(report => report.Name)))}");
    return 2;
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    return 130;
}
catch (InvalidOperationException error)
{
    await Console.Error.WriteLineAsync(error.Message);
    return 1;
}
