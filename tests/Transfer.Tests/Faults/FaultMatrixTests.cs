using System.Collections.Concurrent;

namespace Transfer.Tests.Faults;

/// <summary>
/// Every reply class at every step of every operation: after each run, and after a second run without faults, the old or the new whole file
/// is there. TRANSFER_FAULT_MATRIX=all: see
/// <see cref="MatrixCounts"/>.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class FaultMatrixTests
{
    // Nearly all of a run is waiting.
    private const int AtOnce = 64;

    [OneTimeTearDown]
    public static void Report() => MatrixCounts.Report();

    [Test]
    public Task Ftp([Values] bool replaces) =>
        RunAsync($"FTP, {(replaces ? "replaces" : "refuses existing names")}", () => FtpMatrixHost.StartAsync(replaces),
            FtpMatrixHost.Faults);

    [Test]
    public Task Sftp([Values] bool replaces) =>
        RunAsync($"SFTP, {(replaces ? "posix-rename" : "RENAME alone")}", () => SftpMatrixHost.StartAsync(replaces), SftpMatrixHost.Faults);

    private static async Task RunAsync(string protocol, Func<Task<IMatrixHost>> start, string[] faults)
    {
        var broken = new ConcurrentQueue<string>();
        foreach (var operation in MatrixOperation.All)
        {
            var steps = await StepsAsync(operation, start);
            var cases = steps.CountBy(step => step).SelectMany(
                step => MatrixCounts.Occurrences(step.Value).SelectMany(
                    at => faults.Select(fault => (Step: step.Key, At: at, Fault: fault))));
            await Parallel.ForEachAsync(cases, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (one, _) =>
            {
                var (isDone, why) = await RunAsync(operation, start, one.Step, one.At, one.Fault);
                if (why is not null) broken.Enqueue($"{protocol}, {operation.Name}, {one.Step} {one.At}, {one.Fault}: {why}");
                MatrixCounts.Add(protocol, operation.Name, isDone);
            });
        }
        Assert.That(broken, Is.Empty, string.Join('\n', broken));
    }

    private static async Task<IReadOnlyList<string>> StepsAsync(MatrixOperation operation, Func<Task<IMatrixHost>> start)
    {
        await using var host = await start();
        using var local = new TempFolder();
        operation.Prepare(host, local);
        await operation.RunAsync(host, local);
        Assert.That(operation.Judge(host, local, true, string.Empty), Is.Null, operation.Name);
        return host.TakeSteps();
    }

    private static async Task<(bool IsDone, string? Why)> RunAsync(MatrixOperation operation, Func<Task<IMatrixHost>> start, string step,
        int occurrence, string fault)
    {
        await using var host = await start();
        using var local = new TempFolder();
        operation.Prepare(host, local);
        host.Inject(step, occurrence, fault);
        var told = await TryAsync(operation, host, local);
        // A server that says yes and does nothing, or that a file is gone which it has, is believed: nothing may be lost by that.
        var isBelieved = fault.StartsWith("200", StringComparison.Ordinal) || (step, fault) is ("Remove", "NoSuchFile");
        var why = operation.Judge(host, local, told is null && !isBelieved, told ?? string.Empty);
        host.Clear();
        var again = await TryAsync(operation, host, local);
        if (why is null && operation.Judge(host, local, again is null, $"{told} {again}") is { } second)
            why = $"in the second run: {second}";
        return (told is null, why);
    }

    // The messages of its failure; null: none.
    private static async Task<string?> TryAsync(MatrixOperation operation, IMatrixHost host, TempFolder local)
    {
        try
        {
            await operation.RunAsync(host, local).WaitAsync(TimeSpan.FromMinutes(2));
            return null;
        }
        catch (TransferException e)
        {
            return e.ToString();
        }
    }
}
