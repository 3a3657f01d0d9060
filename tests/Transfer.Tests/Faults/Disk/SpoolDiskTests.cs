using System.Collections.Concurrent;
using Transfer.Local;
using Transfer.Tests.Batch.Spool;
using Transfer.Tests.Local;

namespace Transfer.Tests.Faults.Disk;

/// <summary>
/// The disk's matrix of spools: the sender's journal, counter and versions, the fetcher's state and the files it writes. After each run,
/// and after another one on a healthy disk, recipients have whole
/// files, and in the end all of them.
/// </summary>
[TestFixture]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SpoolDiskTests
{
    private static readonly (string Name, int Number)[] Faults = MatrixCounts.IsWhole
        ? [("EIO", 5), ("ENOSPC", 28), ("EACCES", 13), ("EROFS", 30), ("EMFILE", 24), ("ESTALE", 116), ("EDQUOT", 122)]
        : [("EIO", 5)];

    [OneTimeTearDown]
    public static void Report() => MatrixCounts.Report();

    [Test]
    public Task Whatever_the_senders_disk_says_the_recipient_has_whole_files() => RunAsync("send to a spool", SendAsync);

    [Test]
    public Task Whatever_the_recipients_disk_says_it_has_whole_files() => RunAsync("fetch from a spool", FetchAsync);

    private static async Task RunAsync(string name, Func<SpoolHarness, Script?, Task> run)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("The numbers are Linux's.");
        var counted = new Script((_, _) => 0);
        using (var spool = await PrepareAsync()) await run(spool, counted);
        var cases = from step in counted.Counts
                    from at in MatrixCounts.Occurrences(step.Value)
                    from fault in Faults
                    from stays in new[] { false, true }
                    // A run takes several jobs: the short form has the first occurrence stay, and the last pass.
                    where MatrixCounts.IsWhole || stays == (at == 0)
                    select (Call: step.Key, At: at + 1, Fault: fault, Stays: stays);
        var broken = new ConcurrentQueue<string>();
        await Parallel.ForEachAsync(cases, new ParallelOptions { MaxDegreeOfParallelism = 16 }, async (one, _) =>
        {
            var script =
                new Script((call, count) => call == one.Call && (count == one.At || one.Stays && count > one.At) ? one.Fault.Number : 0);
            var why = await JudgeAsync(name, run, script);
            if (why is not null)
                broken.Enqueue($"{name}, {one.Call} {one.At}, {one.Fault.Name}{(one.Stays ? " from then on" : string.Empty)}: {why}");
        });
        Assert.That(broken, Is.Empty, string.Join('\n', broken.Order(StringComparer.Ordinal)));
    }

    private static async Task<string?> JudgeAsync(string name, Func<SpoolHarness, Script?, Task> run, Script script)
    {
        using var spool = await PrepareAsync();
        var before = Contents(spool.To("ann"));
        Exception? error = null;
        try
        {
            await run(spool, script);
        }
        catch (Exception e)
        {
            error = e;
        }
        MatrixCounts.Add("disk", name, error is null);
        if (error is not (null or TransferException)) return $"not an error of ours: {error}";
        var source = Contents(spool.From);
        foreach (var (path, content) in Contents(spool.To("ann")).Where(file => !file.Key.Contains(".transfer-", StringComparison.Ordinal)))
        {
            if (!IsOneOf(content, path, before, source)) return $"{path} is neither the old nor the new one";
        }
        try
        {
            await run(spool, null);
            // What could not be built on what was there is sent whole by the next job.
            await FetchAsync(spool, null);
            await SendAsync(spool, null);
            await FetchAsync(spool, null);
        }
        catch (Exception e)
        {
            return $"the second run fails: {e}";
        }
        var there = Contents(spool.To("ann"));
        return source.FirstOrDefault(file => !IsOneOf(there.GetValueOrDefault(file.Key), file.Key, source)) is { Key: { } missing }
            ? $"{missing} has not come" : null;
    }

    // A job has come before, and some of its files have changed since.
    private static async Task<SpoolHarness> PrepareAsync()
    {
        var spool = new SpoolHarness { Deltas = true };
        spool.Fill(files: 6, large: 0);
        spool.Write("changes", Samples.Bytes(60_000, 1));
        await spool.SendAsync(["ann"]);
        await FetchAsync(spool, null);
        var changed = Samples.Bytes(60_000, 1);
        changed[30_000] ^= 1;
        spool.Write("changes", changed);
        spool.Write("new", Samples.Bytes(2000, 2));
        // For the fetcher there is something to be fetched.
        await spool.SendAsync(["ann"]);
        return spool;
    }

    private static async Task SendAsync(SpoolHarness spool, Script? script)
    {
        using var _ = script?.On(spool.State("sender"));
        Demand(await spool.SendAsync(["ann"]));
    }

    private static async Task FetchAsync(SpoolHarness spool, Script? script)
    {
        using var _ = script?.On(spool.State("ann"));
        using var to = script?.On(spool.To("ann"));
        Demand(await spool.FetchAsync("ann", options => options with { Overwrite = OverwriteMode.Always }));
    }

    private static void Demand(JobResult result)
    {
        if (result.Failed > 0) throw result.Failures[0].Error!;
    }

    private static Dictionary<string, byte[]> Contents(string folder) =>
        TempFolder.FilesIn(folder).ToDictionary(name => name, name => File.ReadAllBytes(Path.Join(folder, name)));

    private static bool IsOneOf(byte[]? content, string path, params Dictionary<string, byte[]>[] versions) =>
        content is not null && versions.Any(files => files.TryGetValue(path, out var version) && MatrixJudge.IsSame(version, content));

    /// <summary>One script for several folders, with one count a call.</summary>
    private sealed class Script(Func<DiskCall, int, int> decide)
    {
        private readonly ConcurrentDictionary<DiskCall, int> _counts = [];

        public IReadOnlyDictionary<DiskCall, int> Counts => _counts;

        public DiskScript On(string folder) => new(folder, (call, path, _) =>
        {
            var errno = decide(call, _counts.AddOrUpdate(call, 1, (_, count) => count + 1));
            if (errno != 0 && call is DiskCall.Write or DiskCall.Flush or DiskCall.Close && path.Contains("/to-", StringComparison.Ordinal))
                Spoil(path);
            return errno;
        });

        // What did not reach the disk is garbage from now on.
        private static void Spoil(string path)
        {
            if (!File.Exists(path)) return;
            using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
            file.Write(new byte[Math.Min(file.Length, 100)]);
        }
    }
}
