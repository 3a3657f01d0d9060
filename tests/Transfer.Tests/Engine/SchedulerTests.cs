using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Scheduling;
using Transfer.Ftp;
using Transfer.Sessions;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Engine;

/// <summary>Several jobs of one client.</summary>
[Category(Categories.Slow)]
public sealed class SchedulerTests
{
    private const int Copies = 100;

    private static readonly WorkOutcome Done = new WorkOutcome.Done(0, VerificationMode.Reply);

    private MemoryStore _store = null!;
    private TaskCompletionSource _opened = null!;
    private int _added;

    [SetUp]
    public void Begin()
    {
        (_store, _added) = (new MemoryStore(), 0);
        _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    [Test]
    public async Task Files_of_a_second_job_come_in_turn_and_not_behind_all_of_the_first()
    {
        var taken = new List<string>();
        await RunAsync(1, async (_, work, _) =>
        {
            var items = new WorkItem[8];
            int count;
            while ((count = await work.TakeAsync(items, default)) > 0)
            {
                foreach (var item in items.Take(count)) taken.Add(item.Path);
                foreach (var item in items.Take(count)) item.Complete(Done);
            }
        }, ["/a", "/b"], [100, 4]);
        Assert.That(taken.Take(8).Count(path => path.StartsWith("/b", StringComparison.Ordinal)), Is.EqualTo(4), string.Join(' ', taken));
        Assert.That(taken, Has.Count.EqualTo(104));
    }

    [Test]
    public async Task A_job_that_is_given_up_leaves_other_jobs_files_to_their_session()
    {
        var begun = new TaskCompletionSource<WorkItem[]>();
        var (given, aborted) = (new TaskCompletionSource(), false);
        await using var engine = Engine(1, async (_, work, abort) =>
        {
            var items = new WorkItem[8];
            var count = await work.TakeAsync(items, default);
            if (count == 0) return;
            begun.SetResult(items[..count]);
            await given.Task.Soon();
            aborted = abort.IsCancellationRequested;
            foreach (var item in items.Take(count))
                item.Complete(item.Canceled.IsCancellationRequested ? new WorkOutcome.Untouched() : Done);
        });
        using var cancel = new CancellationTokenSource();
        await using var first = new EngineJob("first", engine, default, new TransferJobContext(cancellationToken: cancel.Token));
        await using var second = new EngineJob("second", engine, default, new TransferJobContext());
        var ends = new[] { RunAsync(first, "/a", 2), RunAsync(second, "/b", 2) };
        await AddedAsync([first, second]);
        var held = await begun.Task.Soon();
        Assert.That(held.Select(item => item.Path), Is.EquivalentTo(new[] { "/a0", "/a1", "/b0", "/b1" }), "they go together");

        await cancel.CancelAsync();
        Assert.That(held.Select(item => item.Canceled.IsCancellationRequested),
            Is.EqualTo(held.Select(item => item.Path.StartsWith("/a", StringComparison.Ordinal))));
        given.SetResult();
        Assert.That(async () => await ends[0].Soon(), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(((await ends[1].Soon()).Files, aborted), Is.EqualTo((2L, false)));
    }

    [Test]
    public async Task A_session_that_does_not_let_go_of_what_was_cancelled_is_given_up_after_a_while()
    {
        var time = new ManualTime();
        var (begun, broken) = (new TaskCompletionSource(), new TaskCompletionSource<TransferConnectionException>());
        await using var engine = Engine(1, async (session, work, _) =>
        {
            var items = new WorkItem[8];
            var count = await work.TakeAsync(items, default);
            if (count == 0) return;
            if (!begun.TrySetResult())
            {
                foreach (var item in items.Take(count)) item.Complete(Done);
                return;
            }
            var reason = await session.Broken;
            session.Lose();
            foreach (var item in items.Take(count)) item.Complete(new WorkOutcome.InDoubt(false, reason));
            broken.SetResult(reason);
        }, time);
        using var cancel = new CancellationTokenSource();
        await using var first = new EngineJob("first", engine, default, new TransferJobContext(cancellationToken: cancel.Token));
        await using var second = new EngineJob("second", engine, default, new TransferJobContext());
        var ends = new[] { RunAsync(first, "/a", 1), RunAsync(second, "/b", 1) };
        await AddedAsync([first, second]);
        await begun.Task.Soon();
        await cancel.CancelAsync();
        await PassAsync(broken.Task);
        await PassAsync(ends[0]);
        Assert.That(async () => await ends[0], Throws.InstanceOf<OperationCanceledException>());
        await PassAsync(ends[1]);
        Assert.That((await ends[1]).Files, Is.EqualTo(1), "on another session");

        Task PassAsync(Task end) => Eventually.TrueAsync(() =>
        {
            time.Advance(TimeSpan.FromSeconds(1));
            return end.IsCompleted;
        });
    }

    [Test]
    public async Task A_job_keeps_to_its_own_number_of_sessions_beside_another()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 60; i++) local.Add($"f{i}", FtpHarness.Content(2000, seed: i));
        await using var ftp =
            await FtpHarness.StartAsync(new FtpTestServerOptions { Link = new() { RoundTrip = TimeSpan.FromMilliseconds(10) } });
        await using var client = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = 6 });
        var results = await Task.WhenAll(client.UploadDirectoryAsync(local.Path, "/one", new() { Sessions = 1 }),
            client.UploadDirectoryAsync(local.Path, "/three", new() { Sessions = 3 })).Soon();
        Assert.That(results.Select(result => (result.Files, result.Failed)), Is.All.EqualTo((60L, 0L)));
        Assert.That(results[0].Sessions, Is.EqualTo(1));
        Assert.That(results[1].Sessions, Is.LessThanOrEqualTo(3));
    }

    [Test]
    public async Task A_stream_that_nobody_reads_holds_up_no_other_file()
    {
        using var local = new TempFolder();
        for (var i = 0; i < 40; i++) local.Add($"f{i}", FtpHarness.Content(2000, seed: i));
        var large = FtpHarness.Content(8 << 20);
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/large", large);
        await using var client = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = 2 });
        await using var stream = await client.OpenReadAsync("/large");
        await Task.WhenAll(Enumerable.Range(0, 40).Select(i => client.UploadFileAsync(Path.Combine(local.Path, $"f{i}"), $"/f{i}"))).Soon();
        using var read = new MemoryStream();
        await stream.CopyToAsync(read).Soon();
        Assert.That(read.ToArray().AsSpan().SequenceEqual(large));
    }

    [Test]
    public async Task Copies_in_opposite_directions_never_wait_for_each_other()
    {
        await using var here = await FtpHarness.StartAsync();
        await using var there = await FtpHarness.StartAsync();
        for (var i = 0; i < 24; i++)
        {
            here.Store.AddFile($"/out/f{i}", FtpHarness.Content(300_000, seed: i));
            there.Store.AddFile($"/out/f{i}", FtpHarness.Content(300_000, seed: 100 + i));
        }
        var logs = new LogEvents(["Requeued"], _ => Assert.Fail("A session was waited for in vain."));
        var options = FtpHarness.Options with { MaxSessions = 3, LoggerFactory = logs };
        await using var left = new FtpTransferClient(here.Server.Uri, options);
        await using var right = new FtpTransferClient(there.Server.Uri, options);
        var results = await Task.WhenAll(
            left.CopyDirectoryAsync("/out", right, "/in", new() { Sessions = 3 }),
            right.CopyDirectoryAsync("/out", left, "/in", new() { Sessions = 3 })).Soon();
        Assert.That(results.Select(result => (result.Files, result.Failed, result.Retries)), Is.All.EqualTo((24L, 0L, 0L)));
        Assert.That(there.Store.ReadFile("/in/f7").AsSpan().SequenceEqual(here.Store.ReadFile("/out/f7")));
        Assert.That(here.Store.ReadFile("/in/f7").AsSpan().SequenceEqual(there.Store.ReadFile("/out/f7")));
    }

    [TestCase(2, 1000)]
    [TestCase(3, 1000)]
    [TestCase(8, 1000)]
    [TestCase(2, 300_000)]
    [TestCase(8, 300_000)]
    public async Task Many_copies_within_one_server_never_wait_for_each_other(int sessions, int length)
    {
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < Copies; i++) ftp.Store.AddFile($"/out/f{i}", FtpHarness.Content(length, seed: i));
        ftp.Store.AddDirectory("/in");
        var logs = new LogEvents(["Requeued"], _ => Assert.Fail("A session was waited for in vain."));
        await using var client = new FtpTransferClient(ftp.Server.Uri,
            FtpHarness.Options with { MaxSessions = sessions, LoggerFactory = logs });
        var results = await Task.WhenAll(Enumerable.Range(0, Copies).Select(i => client.CopyFileAsync($"/out/f{i}", client, $"/in/f{i}")))
            .Soon();
        Assert.That(results.Select(result => result.Bytes), Is.All.EqualTo(length));
        for (var i = 0; i < Copies; i++)
            Assert.That(ftp.Store.ReadFile($"/in/f{i}").AsSpan().SequenceEqual(ftp.Store.ReadFile($"/out/f{i}")));
    }

    private async Task RunAsync(int sessions, Func<ScriptedSession, IWorkSource, CancellationToken, Task> run, string[] names, int[] counts)
    {
        await using var engine = Engine(sessions, run);
        var jobs = names.Select(name => new EngineJob(name, engine, default, new TransferJobContext())).ToArray();
        var ends = jobs.Select((job, i) => RunAsync(job, names[i], counts[i])).ToArray();
        await AddedAsync(jobs);
        await Task.WhenAll(ends).Soon();
        foreach (var job in jobs) await job.DisposeAsync();
    }

    private Task<JobResult> RunAsync(EngineJob job, string prefix, int files) => job.RunAsync(async _ =>
    {
        for (var i = 0; i < files; i++)
        {
            await job.AddAsync(
                new JobFile(new FileSpec { Name = $"{i}", Kind = WorkKind.Upload, RemotePath = $"{prefix}{i}" }, new FixedContent(1)));
        }

        Interlocked.Increment(ref _added);
    });

    // The first session is opened only then, so that it finds all of them.
    private async Task AddedAsync(EngineJob[] jobs)
    {
        await Eventually.TrueAsync(() => Volatile.Read(ref _added) == jobs.Length);
        _opened.SetResult();
    }

    private ClientEngine Engine(int sessions, Func<ScriptedSession, IWorkSource, CancellationToken, Task> run, TimeProvider? time = null) =>
        new(
        new Uri("memory://host/"), new() { MaxSessions = sessions, TimeProvider = time ?? TimeProvider.System, Retry = Samples.SoonAgain },
        () => sessions, async (_, ct) =>
        {
            await _opened.Task.WaitAsync(ct);
            return new ScriptedSession(_store, run);
        }, _ => false);
}
