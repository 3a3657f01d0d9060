using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Operations;
using Transfer.Engine.Planning;
using Transfer.Engine.Scheduling;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Local.Trees;

namespace Transfer.Tests.Engine;

public sealed class FolderDownloadTests : MemoryFixture
{
    [Test]
    public async Task Many_files_in_many_folders_arrive_with_their_contents_and_times()
    {
        for (var i = 0; i < 300; i++) Store.AddFile($"/s/d{i % 7}/e{i % 3}/f{i}.bin", Samples.Bytes(i * 37, i), Samples.Time.AddMinutes(i));
        Store.AddFile("/s/empty", [], Samples.Time);
        Store.AddDirectory("/s/none");
        var items = new Collected<ItemResult>();
        var progress = new Collected<TransferProgress>();

        var result = await Client.StartDownloadDirectory("/s", Local["x/y"], new(), readItems: true, progress).TellAsync(items).Soon();

        Assert.That(result.Failures, Is.Empty);
        Assert.That(result.Files, Is.EqualTo(301));
        Assert.That(Directory.Exists(Local["x/y/none"]), Is.True);
        Assert.That(Local.Files, Is.EquivalentTo(Store.Files.Select(file => "x/y" + file[2..])));
        for (var i = 0; i < 300; i++)
        {
            var name = $"x/y/d{i % 7}/e{i % 3}/f{i}.bin";
            Assert.That(Local.Read(name).AsSpan().SequenceEqual(Samples.Bytes(i * 37, i)), name);
            Assert.That(File.GetLastWriteTimeUtc(Local[name]), Is.EqualTo(Samples.Time.AddMinutes(i).UtcDateTime));
        }
        Assert.That(items.Values, Has.Count.EqualTo(301));
        Assert.That((progress.Values[^1].TotalFiles, progress.Values[^1].TotalBytes), Is.EqualTo((301L, result.Bytes)));
    }

    [Test]
    public async Task One_session_is_enough_for_listing_and_fetching()
    {
        for (var i = 0; i < 400; i++) Store.AddFile($"/s/d{i % 40}/f{i}", Samples.Bytes(100, i));
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var result = await client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Failed, Store.Peak), Is.EqualTo((400L, 0L, 1)));
    }

    [Test]
    public async Task Two_jobs_and_a_question_share_one_session_without_waiting_for_each_other_for_ever()
    {
        for (var i = 0; i < 400; i++) Store.AddFile($"/s/d{i % 40}/f{i}", Samples.Bytes(100, i));
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var first = client.DownloadDirectoryAsync("/s", Local["a"]);
        var second = client.DownloadDirectoryAsync("/s", Local["b"]);
        var entry = await client.GetEntryAsync("/s/d0/f0").Soon();
        Assert.That(entry!.Length, Is.EqualTo(100));
        Assert.That(first.IsCompleted && second.IsCompleted, Is.False, "the question did not wait for the end of the jobs");
        Assert.That((await first.Soon()).Files + (await second.Soon()).Files, Is.EqualTo(800));
    }

    [TestCase(OverwriteMode.Fail, 1, 0, 3)]
    [TestCase(OverwriteMode.Skip, 1, 3, 0)]
    [TestCase(OverwriteMode.Newer, 2, 2, 0)]
    [TestCase(OverwriteMode.Always, 4, 0, 0)]
    public async Task Files_that_exist_are_treated_as_asked(OverwriteMode overwrite, int files, int skipped, int failed)
    {
        foreach (var name in new[] { "new", "older", "same", "newer" }) Store.AddFile($"/s/{name}", [1], Samples.Time);
        Local.Add("older", [9, 9], Samples.Time.AddSeconds(5));
        Local.Add("same", [9, 9], Samples.Time.AddMilliseconds(400));
        Local.Add("newer", [9, 9], Samples.Time.AddSeconds(-1));
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path, new() { Overwrite = overwrite }).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(((long)files, (long)skipped, (long)failed)));
        Assert.That(Local.Read("newer"), Has.Length.EqualTo(overwrite is OverwriteMode.Newer or OverwriteMode.Always ? 1 : 2));
    }

    [Test]
    public async Task Hostile_names_fail_and_nothing_is_written_outside()
    {
        using var sandbox = new TempFolder();
        Store.AddFile("/s/good", [1]);
        foreach (var name in new[] { "../escaped", "..", ".", "/etc/x", "a/b", "nul\0nul", "line\nend", "" })
            Store.Extra.Add(new RemoteEntry { Path = "/s/" + name, Type = RemoteEntryType.File, Length = 1 });
        Store.Extra.Add(new RemoteEntry { Path = "/s/..", Type = RemoteEntryType.Directory });
        Store.Extra.Add(new RemoteEntry { Path = "/elsewhere/file", Type = RemoteEntryType.File });

        var result = await Client.DownloadDirectoryAsync("/s", sandbox["in/target"]).Soon();

        Assert.That(sandbox.Files, Is.EqualTo(new[] { "in/target/good" }));
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 9L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error).Distinct(), Is.EqualTo(new[] { TransferError.Unsupported }));
    }

    [Test]
    public async Task An_entry_that_claims_to_be_elsewhere_is_refused()
    {
        Store.AddFile("/s/good", [1]);
        Store.Extra.Add(new RemoteEntry { Path = "/s/../../up", Type = RemoteEntryType.Directory });
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(Store.Faults.Count("list"), Is.EqualTo(1), "what leads elsewhere is not listed");
    }

    [Test]
    public async Task A_name_that_is_too_long_fails_alone()
    {
        Store.AddFile("/s/" + new string('ä', 128), [1]);
        Store.AddFile("/s/" + new string('ä', 127), [1]);
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((1L, TransferError.Unsupported)));
    }

    [Test]
    public async Task On_a_file_system_that_ignores_case_the_second_of_two_names_fails()
    {
        Store.AddFile("/s/Name", [1]);
        Store.AddFile("/s/NAME", [2]);
        Store.AddFile("/s/other/name", [3]);
        await using var engine = new ClientEngine(Client.Endpoint, new(), () => 16, (_, _) => new(new MemorySession(Store)), _ => false);
        await using var job = new EngineJob("test", engine, default, new TransferJobContext());
        var source = new RemoteTree(job.Dispatcher, engine, "/s");
        var target = new LocalTree(Local.Path, NullLogger.Instance, new LocalNames(windows: true, ignoresCase: true, normalizes: false));
        var planner = new FolderPlanner(job, source, target, new DirectoryOptions { Overwrite = OverwriteMode.Always }, 4,
            (directory, entry) => job.AddAsync(new JobFile(
            new FileSpec
            {
                Name = entry.Name,
                Kind = Transfer.Sessions.WorkKind.Download,
                RemotePath = source.PathOf(directory.PathOf(entry.Name))
            },
            new LocalFileSink(target.PathOf(directory.PathOf(entry.Name)),
                new() { Replace = true, TemporaryName = job.NextTemporaryName }))));

        var result = await job.RunAsync(planner.RunAsync).Soon();

        Assert.That(result.Files, Is.EqualTo(2));
        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("Name", TransferError.Exists)));
        Assert.That(Local.Read("NAME"), Is.EqualTo(new byte[] { 2 }));
    }

    [Test]
    public async Task A_link_in_the_target_is_not_followed_out_of_it()
    {
        using var outside = new TempFolder();
        Directory.CreateSymbolicLink(Local["d"], outside.Path);
        File.CreateSymbolicLink(Local["f"], outside.Add("victim", [9]));
        Store.AddFile("/s/d/x", [1]);
        Store.AddFile("/s/f", [2]);

        var result = await Client.DownloadDirectoryAsync("/s", Local.Path, new() { Overwrite = OverwriteMode.Always }).Soon();

        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("d/x", TransferError.Denied)));
        Assert.That(outside.Files, Is.EqualTo(new[] { "victim" }));
        Assert.That(outside.Read("victim"), Is.EqualTo(new byte[] { 9 }));
        Assert.That(Local.Read("f"), Is.EqualTo(new byte[] { 2 }), "the link itself is replaced");
    }

    [Test]
    public async Task Published_directly_a_link_is_not_written_through_either()
    {
        using var outside = new TempFolder();
        File.CreateSymbolicLink(Local["f"], outside.Add("victim", [9]));
        Store.AddFile("/s/f", [2]);
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path,
            new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct }).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(outside.Read("victim"), Is.EqualTo(new byte[] { 9 }));
    }

    [Test]
    [NonParallelizable]
    [Category(Categories.Slow)]
    public async Task A_listing_of_200000_entries_is_planned_in_bounded_memory()
    {
        const int Count = 200_000;
        await using var client = new MemoryTransferClient(Store, open: _ => new HugeSession(Count));
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var peak = 0L;
        var items = new CountingProgress(n =>
        {
            if (n % 50_000 == 0) peak = Math.Max(peak, GC.GetTotalMemory(forceFullCollection: true) - before);
        });
        var result = await client.StartDownloadDirectory("/huge", Local.Path, new() { Overwrite = OverwriteMode.Always },
            readItems: true).TellAsync(items).Soon();
        Assert.That(result.Files + result.Failed, Is.EqualTo(Count));
        Assert.That(peak, Is.LessThan(100L << 20));
    }

    [Test]
    public async Task A_directory_that_cannot_be_listed_is_one_failure()
    {
        Store.AddFile("/s/good/f", [1]);
        Store.AddFile("/s/bad/f", [1]);
        Store.Faults.On("list", Fault.Refusal(TransferError.Denied), path: path => path == "/s/bad");
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Failures.Single().Path, result.Failures.Single().Error!.Error),
            Is.EqualTo((1L, "bad", TransferError.Denied)));
    }

    [Test]
    public async Task A_remote_folder_that_does_not_exist_fails_the_job_and_makes_nothing()
    {
        var error = await Client.DownloadDirectoryAsync("/no", Local["t"]).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(Directory.Exists(Local["t"]), Is.False);
    }

    [Test]
    public async Task A_file_that_is_shorter_than_announced_is_not_published()
    {
        Store.AddFile("/s/f", Samples.Bytes(1000));
        Store.Faults.On("download", new Fault { Hold = _ => { Store.AddFile("/s/f", Samples.Bytes(999)); return Task.CompletedTask; } });
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Local.Files, Is.Empty);
    }

    [Test]
    public async Task Links_and_devices_of_the_server_are_skipped()
    {
        Store.AddFile("/s/f", [1]);
        Store.Extra.Add(new RemoteEntry { Path = "/s/link", Type = RemoteEntryType.Link, LinkTarget = "f" });
        Store.Extra.Add(new RemoteEntry { Path = "/s/device", Type = RemoteEntryType.Other });
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 0L)));
    }

    private sealed class CountingProgress(Action<int> each) : IProgress<ItemResult>
    {
        private int _count;

        public void Report(ItemResult value) => each(Interlocked.Increment(ref _count));
    }
}
