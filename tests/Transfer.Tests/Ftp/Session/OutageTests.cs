using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// A link that is silent for longer than anybody waits for it, in the middle of a folder, and comes back with all that was on its way.
/// </summary>
[Category(Categories.Slow)]
public sealed class OutageTests
{
    private const int Sessions = 4;
    private const int LargeFile = 6 << 20;

    private static readonly LinkOptions Link = new() { RoundTrip = TimeSpan.FromMilliseconds(4), BytesPerSecond = 5_000_000 };

    private readonly Dictionary<string, byte[]> _files = new()
    {
        ["large"] = FtpHarness.Content(LargeFile, seed: 1),
        ["a"] = FtpHarness.Content(10_000, seed: 2),
        ["d/b"] = FtpHarness.Content(200_000, seed: 3),
        ["d/empty"] = [],
    };

    private TempFolder _local = null!;

    [SetUp]
    public void CreateFolder() => _local = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _local.Dispose();

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task A_folder_comes_whole_over_a_link_that_was_silent(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(tls);
        foreach (var (name, content) in _files) ftp.Store.AddFile($"/in/{name}", content);
        var noticed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = Client(ftp, noticed);

        var job = client.DownloadDirectoryAsync("/in", _local.Path, new() { Segments = Sessions });
        await BreakAsync(ftp.Server.Link!, () => ftp.Server.Link!.BytesBack, noticed.Task, job);
        var result = await job.Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)_files.Count, 0L)), Why(result));
        Assert.That(ftp.Work.Count(c => c.Verb is "RANG" or "REST"), Is.GreaterThanOrEqualTo(1), "It was divided.");
        Assert.That(_local.Files, Is.EquivalentTo(_files.Keys), "nothing is left over");
        foreach (var (name, content) in _files) Assert.That(_local.Read(name).AsSpan().SequenceEqual(content), name);
    }

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task A_folder_goes_whole_over_a_link_that_was_silent(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(tls);
        foreach (var (name, content) in _files) _local.Add(name, content);
        var noticed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = Client(ftp, noticed);

        var job = client.UploadDirectoryAsync(_local.Path, "/in");
        await BreakAsync(ftp.Server.Link!, () => ftp.Server.Link!.BytesForward, noticed.Task, job);
        var result = await job.Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)_files.Count, 0L)), Why(result));
        Assert.That(ftp.Store.Files, Is.EquivalentTo(_files.Keys.Select(name => $"/in/{name}")), "nothing is left over");
        foreach (var (name, content) in _files) Assert.That(ftp.Store.ReadFile($"/in/{name}").AsSpan().SequenceEqual(content), name);
    }

    // A third is there. Then nothing moves until the job has found that out; what is on the link meanwhile comes later.
    private static async Task BreakAsync(TestLink link, Func<long> moved, Task noticed, Task job)
    {
        await Eventually.TrueAsync(() => moved() > LargeFile / 3 || job.IsFaulted);
        if (job.IsFaulted) await job;
        link.Stall(true);
        await (await Task.WhenAny(noticed, job)).Soon();
        Assert.That(job.IsCompleted, Is.False, "It waits for the link.");
        link.Stall(false);
    }

    private static Task<FtpHarness> StartAsync(FtpTestTls tls) =>
        FtpHarness.StartAsync(new FtpTestServerOptions { Tls = tls, Link = Link });

    // So many attempts that none is the last, however busy the machine.
    private static FtpTransferClient Client(FtpHarness ftp, TaskCompletionSource noticed) => new(ftp.Server.Uri, FtpHarness.Options with
    {
        MaxSessions = Sessions,
        IdleTimeout = TimeSpan.FromSeconds(2),
        Retry = new RetryOptions { Attempts = 50, FirstDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(100) },
        Tls = new FtpTlsOptions { AcceptAnyCertificate = ftp.Server.Uri.Scheme != "ftp" },
        // The first file is in line again, or was sent whole, into buffers on the way, and waits for a session that looks at what is there.
        LoggerFactory = new LogEvents(["Requeued", "InDoubt"], _ => noticed.TrySetResult()),
    });

    private static string Why(JobResult result) => string.Join('\n', result.Failures.Select(item => $"{item.Path}: {item.Error}"));
}
