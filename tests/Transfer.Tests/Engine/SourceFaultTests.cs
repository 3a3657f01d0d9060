namespace Transfer.Tests.Engine;

/// <summary>
/// What becomes of local files that others change while they are sent, of jobs in each other's way, and of very few bad files among very
/// many.
/// </summary>
[Category(Categories.Slow)]
public sealed class SourceFaultTests : MemoryFixture
{
    private const int Length = 20_000;

    [SetUp]
    public void AddFiles()
    {
        Local.Add("a", Samples.Bytes(Length, 1));
        Local.Add("b", Samples.Bytes(Length, 2), Samples.Time);
        Local.Add("c", Samples.Bytes(Length, 3));
        Store.AddFile("/t/b", [9]);
    }

    [TestCase(Length + 1)]
    [TestCase(Length * 2)]
    [TestCase(Length - 1)]
    [TestCase(0)]
    public async Task A_file_that_grows_or_shrinks_fails_alone_and_the_old_one_stays(int length)
    {
        var result = await UploadAsync(() =>
        {
            using var file = new FileStream(Local["b"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            file.SetLength(length);
        });
        AssertOnlyBFailed(result, TransferError.Integrity);
    }

    [Test]
    public async Task A_file_that_is_written_over_fails_though_its_length_is_the_same()
    {
        var result = await UploadAsync(() =>
        {
            using var file = new FileStream(Local["b"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            file.Write(Samples.Bytes(Length, 7));
        });
        AssertOnlyBFailed(result, TransferError.Integrity);
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "There a file that is open keeps its name.")]
    public async Task Of_a_file_that_another_one_takes_the_place_of_the_whole_old_one_arrives([Values] bool deleted)
    {
        Local.Add("elsewhere/new", Samples.Bytes(Length, 7));
        var result = await UploadAsync(() =>
        {
            if (deleted) File.Delete(Local["b"]);
            else File.Move(Local["elsewhere/new"], Local["b"], overwrite: true);
        }, new() { Include = ["a", "b", "c"] });
        Assert.That((result.Files, result.Failed), Is.EqualTo((3L, 0L)));
        Assert.That(Store["/t/b"]!.Content.AsSpan().SequenceEqual(Samples.Bytes(Length, 2)));
        Assert.That(Store["/t/b"]!.Modified, Is.EqualTo(Samples.Time));
    }

    [Test]
    public async Task A_file_that_is_gone_before_its_turn_fails_alone()
    {
        // The folder has been read when the session is opened; another one could take the file before it is gone.
        Store.Faults.On("open", new Fault { Hold = _ => { File.Delete(Local["b"]); return Task.CompletedTask; } });
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = OverwriteMode.Always, Sessions = 1 }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 1L)));
        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("b", TransferError.NotFound)));
        Assert.That(Store["/t/b"]!.Content, Is.EqualTo(new byte[] { 9 }));
    }

    [Test]
    public async Task A_file_that_somebody_else_has_locked_fails_alone()
    {
        using var held = new FileStream(Local["b"], FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        AssertOnlyBFailed(await UploadAsync(() => { }), TransferError.Denied);
    }

    [Test]
    public async Task Two_jobs_on_the_same_target_leave_whole_files_of_one_of_them()
    {
        using var other = new TempFolder();
        for (var i = 0; i < 200; i++)
        {
            Local.Add($"d{i % 3}/f{i}", Samples.Bytes(3000 + i, i));
            other.Add($"d{i % 3}/f{i}", Samples.Bytes(3000 + i, i + 1000));
        }
        await using var second = new MemoryTransferClient(Store);
        var always = new DirectoryOptions { Overwrite = OverwriteMode.Always };
        var results = await Task.WhenAll(Client.UploadDirectoryAsync(Local.Path, "/u", always),
            second.UploadDirectoryAsync(other.Path, "/u", always)).Soon();
        Assert.That(results.Sum(result => result.Failed), Is.Zero);
        foreach (var name in other.Files)
        {
            var there = Store[$"/u/{name}"]!.Content;
            Assert.That(there.AsSpan().SequenceEqual(Local.Read(name)) || there.AsSpan().SequenceEqual(other.Read(name)), name);
        }
        Assert.That(Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Of_two_jobs_that_replace_nothing_each_file_is_one_of_theirs_and_the_other_is_told()
    {
        using var other = new TempFolder();
        for (var i = 0; i < 200; i++)
        {
            Local.Add($"f{i}", Samples.Bytes(3000, i));
            other.Add($"f{i}", Samples.Bytes(3000, i + 1000));
        }
        await using var second = new MemoryTransferClient(Store);
        var (mine, theirs) = (new Collected<ItemResult>(), new Collected<ItemResult>());
        await Task.WhenAll(Client.StartUploadDirectory(Local.Path, "/u", new(), readItems: true).TellAsync(mine),
            second.StartUploadDirectory(other.Path, "/u", new(), readItems: true).TellAsync(theirs)).Soon();
        foreach (var name in other.Files)
        {
            var (won, lost) = (mine.Values.Single(item => item.Path == name), theirs.Values.Single(item => item.Path == name));
            var source = Local;
            if (won.Error is not null) (won, lost, source) = (lost, won, other);
            Assert.That((won.Error, lost.Error!.Error), Is.EqualTo(((TransferException?)null, TransferError.Exists)), name);
            Assert.That(Store[$"/u/{name}"]!.Content.AsSpan().SequenceEqual(source.Read(name)), name);
        }
        Assert.That(Store.Temporaries, Is.Empty);
    }

    [Test]
    public async Task Of_100000_files_three_fail_and_all_others_are_there()
    {
        const int Count = 100_000;
        string[] bad = ["00000003", "00000005", "00077777"];
        await using var client = new MemoryTransferClient(Store, open: _ => new HugeSession(Count, path => bad.Contains(path[^12..^4])));
        var result = await client.DownloadDirectoryAsync("/huge", Local["down"]).Soon();
        Assert.That((result.Files, result.Bytes, result.Failed), Is.EqualTo((Count - 3L, Count - 3L, 3L)));
        Assert.That(result.Failures.Select(failure => failure.Path[^12..^4]).Order(), Is.EqualTo(bad));
        Assert.That(Directory.EnumerateFiles(Local["down"]).Count(), Is.EqualTo(Count - 3));
    }

    private Task<JobResult> UploadAsync(Action meanwhile, TransferFilter? filter = null)
    {
        // The file is open, and nothing of it has been read.
        Store.Faults.On("upload", new Fault { Hold = _ => { meanwhile(); return Task.CompletedTask; } },
            path: path => path.EndsWith("/b", StringComparison.Ordinal));
        return Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = OverwriteMode.Always, Filter = filter }).Soon();
    }

    private void AssertOnlyBFailed(JobResult result, TransferError error)
    {
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 1L)));
        Assert.That((result.Failures.Single().Path, result.Failures.Single().Error!.Error), Is.EqualTo(("b", error)));
        Assert.That(Store["/t/b"]!.Content, Is.EqualTo(new byte[] { 9 }), "the old one");
        Assert.That(Store.Temporaries, Is.Empty);
    }
}
