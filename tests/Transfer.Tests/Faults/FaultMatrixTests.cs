using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Faults;

/// <summary>
/// Every reply class at every step of every operation: after each run, and after a second run without faults, the old or the new whole file is there. TRANSFER_FAULT_MATRIX=all asks for
/// all occurrences of a step, else the first and the last are taken; TRANSFER_FAULT_REPORT names a file for the counts.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[NonParallelizable]
public sealed class FaultMatrixTests
{
    private static readonly ConcurrentDictionary<(string Protocol, string Operation), (int Runs, int Done, int Failed)> Counts = new();

    private static bool IsWhole => Environment.GetEnvironmentVariable("TRANSFER_FAULT_MATRIX") == "all";

    [OneTimeTearDown]
    public static void Report()
    {
        if (Environment.GetEnvironmentVariable("TRANSFER_FAULT_REPORT") is not { Length: > 0 } path) return;
        var text = new StringBuilder("| protocol | operation | runs | succeeded | failed | lost |\n|---|---|---:|---:|---:|---:|\n");
        foreach (var ((protocol, operation), (runs, done, failed)) in Counts.OrderBy(count => count.Key))
            text.Append(CultureInfo.InvariantCulture, $"| {protocol} | {operation} | {runs} | {done} | {failed} | 0 |\n");
        text.Append(CultureInfo.InvariantCulture, $"| all | | {Counts.Values.Sum(c => c.Runs)} | {Counts.Values.Sum(c => c.Done)} | {Counts.Values.Sum(c => c.Failed)} | 0 |\n");
        File.WriteAllText(path, text.ToString());
    }

    [Test]
    public Task Ftp([Values] bool replaces) => RunAsync($"FTP, {(replaces ? "replaces" : "refuses existing names")}", () => FtpMatrixHost.StartAsync(replaces), FtpMatrixHost.Faults);

    [Test]
    public Task Sftp([Values] bool replaces) => RunAsync($"SFTP, {(replaces ? "posix-rename" : "RENAME alone")}", () => SftpMatrixHost.StartAsync(replaces), SftpMatrixHost.Faults);

    private static async Task RunAsync(string protocol, Func<Task<IMatrixHost>> start, string[] faults)
    {
        var broken = new ConcurrentQueue<string>();
        foreach (var operation in MatrixOperation.All)
        {
            var steps = await StepsAsync(operation, start);
            var cases = steps.CountBy(step => step).SelectMany(step => Occurrences(step.Value).SelectMany(at => faults.Select(fault => (Step: step.Key, At: at, Fault: fault))));
            await Parallel.ForEachAsync(cases, new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (one, _) =>
            {
                var (isDone, why) = await RunAsync(operation, start, one.Step, one.At, one.Fault);
                if (why is not null) broken.Enqueue($"{protocol}, {operation.Name}, {one.Step} {one.At}, {one.Fault}: {why}");
                Counts.AddOrUpdate((protocol, operation.Name), (1, isDone ? 1 : 0, isDone ? 0 : 1), (_, c) => (c.Runs + 1, c.Done + (isDone ? 1 : 0), c.Failed + (isDone ? 0 : 1)));
            });
        }
        Assert.That(broken, Is.Empty, string.Join('\n', broken));
    }

    private static IEnumerable<int> Occurrences(int count) => IsWhole ? Enumerable.Range(0, count) : new[] { 0, count - 1 }.Distinct();

    private static async Task<IReadOnlyList<string>> StepsAsync(MatrixOperation operation, Func<Task<IMatrixHost>> start)
    {
        await using var host = await start();
        using var local = new TempFolder();
        operation.Prepare(host, local);
        await operation.RunAsync(host, local);
        Assert.That(operation.Judge(host, local, isDone: true), Is.Null, operation.Name);
        return host.TakeSteps();
    }

    private static async Task<(bool IsDone, string? Why)> RunAsync(MatrixOperation operation, Func<Task<IMatrixHost>> start, string step, int occurrence, string fault)
    {
        await using var host = await start();
        using var local = new TempFolder();
        operation.Prepare(host, local);
        host.Inject(step, occurrence, fault);
        var isDone = await TryAsync(operation, host, local);
        // A server that says yes and does nothing, or that a file is gone which it has, is believed: nothing may be lost by that.
        var isBelieved = fault.StartsWith("200", StringComparison.Ordinal) || (step, fault) is ("Remove", "NoSuchFile");
        var why = operation.Judge(host, local, isDone && !isBelieved);
        host.Clear();
        var again = await TryAsync(operation, host, local);
        if (why is null && operation.Judge(host, local, again) is { } second) why = $"in the second run: {second}";
        return (isDone, why);
    }

    private static async Task<bool> TryAsync(MatrixOperation operation, IMatrixHost host, TempFolder local)
    {
        try
        {
            await operation.RunAsync(host, local).WaitAsync(TimeSpan.FromMinutes(2));
            return true;
        }
        catch (TransferException)
        {
            return false;
        }
    }
}
