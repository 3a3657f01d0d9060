using System.Collections.Concurrent;
using Transfer.Local;
using Transfer.Tests.Local;

namespace Transfer.Tests.Faults.Disk;

/// <summary>
/// Every error number at every local call of every operation, once and from then on: after each run, and after a second run on a healthy
/// disk, the old or the new whole file is there.
/// What a failed write, flush or close was to bring to the disk is garbage from then on, as after a crash. TRANSFER_FAULT_MATRIX=all: see
/// <see cref="MatrixCounts"/>.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class DiskMatrixTests
{
    private const int NotFound = 2;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private static readonly (string Name, int Number)[] Usual = [("EIO", 5), ("ENOSPC", 28), ("EACCES", 13), ("ENOENT", NotFound)];

    private static readonly (string Name, int Number)[] Others =
    [
        ("EPERM", 1), ("EINTR", 4), ("EAGAIN", 11), ("EBUSY", 16), ("EEXIST", 17), ("EXDEV", 18), ("EISDIR", 21), ("EINVAL", 22),
        ("EMFILE", 24), ("EROFS", 30), ("ENAMETOOLONG", 36),
        ("ENOTEMPTY", 39), ("EOPNOTSUPP", 95), ("ESTALE", 116), ("EDQUOT", 122),
    ];

    private static IEnumerable<string> Operations => DiskOperations.All.Select(operation => operation.Name);

    [OneTimeTearDown]
    public static void Report() => MatrixCounts.Report();

    [TestCaseSource(nameof(Operations))]
    public async Task Whatever_the_disk_says_the_old_or_the_new_file_is_there(string name)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("The numbers are Linux's.");
        var operation = DiskOperations.All.Single(one => one.Name == name);
        var steps = await StepsAsync(operation);
        (string Name, int Number)[] faults = MatrixCounts.IsWhole ? [.. Usual, .. Others] : Usual;
        var cases = from step in steps
                    from at in MatrixCounts.Occurrences(step.Value)
                    from fault in faults
                    from stays in new[] { false, true }
                    where !operation.Believes(step.Key, fault.Number)
                    select (Call: step.Key, At: at + 1, Fault: fault, Stays: stays);
        var broken = new ConcurrentQueue<string>();
        await Parallel.ForEachAsync(cases, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (one, _) =>
        {
            var (isDone, why) = await RunAsync(operation, one.Call, one.At, one.Fault.Number, one.Stays);
            if (why is not null)
                broken.Enqueue($"{name}, {one.Call} {one.At}, {one.Fault.Name}{(one.Stays ? " from then on" : string.Empty)}: {why}");
            MatrixCounts.Add("disk", name, isDone);
        });
        Assert.That(broken, Is.Empty, string.Join('\n', broken.Order(StringComparer.Ordinal)));
    }

    private static async Task<IReadOnlyDictionary<DiskCall, int>> StepsAsync(DiskOperation operation)
    {
        await using var bench = new DiskBench();
        operation.Prepare(bench);
        using var script = new DiskScript(bench.Root, (_, _, _) => 0);
        await operation.RunAsync(bench);
        Assert.That(operation.Judge(bench, true, string.Empty), Is.Null, operation.Name);
        return Enum.GetValues<DiskCall>().Where(call => script.Count(call) > 0).ToDictionary(call => call, script.Count);
    }

    private static async Task<(bool IsDone, string? Why)> RunAsync(DiskOperation operation, DiskCall call, int occurrence, int errno,
        bool stays)
    {
        await using var bench = new DiskBench();
        operation.Prepare(bench);
        Exception? error;
        using (new DiskScript(bench.Root,
            (made, path, count) =>
            made == call && (count == occurrence || stays && count > occurrence) ? Fail(bench, made, path, errno) : 0))
        {
            error = await TryAsync(operation, bench);
        }
        if (error is not (null or TransferException)) return (false, $"not an error of ours: {error}");
        // A disk that denies to have what is to be deleted, or its folder, is believed.
        var isBelieved = errno == NotFound && call is DiskCall.Delete or DiskCall.RemoveFolder or DiskCall.Open;
        if (operation.Judge(bench, error is null && !isBelieved, error?.ToString() ?? string.Empty) is { } why) return (error is null, why);
        var again = await TryAsync(operation, bench);
        if (again is not null) return (error is null, $"the second run fails: {again}");
        return (error is null, operation.Judge(bench, true, string.Empty) is { } second ? $"in the second run: {second}" : null);
    }

    // Linux marks the pages of a failed flush clean: they are read as they were written until they are read from the disk.
    private static int Fail(DiskBench bench, DiskCall call, string path, int errno)
    {
        if (call is DiskCall.Write or DiskCall.Flush or DiskCall.Close
            && path.StartsWith(bench.Here, StringComparison.Ordinal) && File.Exists(path))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
            file.Write(new byte[Math.Min(file.Length, 100)]);
        }
        return errno;
    }

    private static async Task<Exception?> TryAsync(DiskOperation operation, DiskBench bench)
    {
        try
        {
            await Task.Run(() => operation.RunAsync(bench)).WaitAsync(Patience);
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }
}
