using Transfer.Engine.Operations;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>How much a synchronisation may delete, and what is said before.</summary>
public sealed class DeletionLimitTests : MemoryFixture
{
    private readonly List<(DeletionSummary Summary, int Items)> _summaries = [];

    [SetUp]
    public void Fill()
    {
        _summaries.Clear();
        for (var i = 0; i < 4; i++)
        {
            Local.Add($"keep{i}", [1], Samples.Time);
            Store.AddFile($"/t/keep{i}", [1], Samples.Time);
        }
        Local.Add("new", [1, 2], Samples.Time);
        // Three files and two folders of nine items, and what no filter admits.
        foreach (var name in (string[])["x", "gone/a", "gone/deep/b"]) Store.AddFile("/t/" + name, [9, 9]);
        Store.AddFile("/t/y.log", [1]);
    }

    [TestCase(5, null)]
    [TestCase(1000, null)]
    [TestCase(null, 55.6)]
    [TestCase(null, 100.0)]
    public async Task What_is_within_the_limit_is_deleted(int? items, double? percent)
    {
        var result = await UpAsync(Limit(items, percent));
        Assert.That((result.Files, result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((1L, 5L, 0L, 0L)));
        Assert.That(_summaries.Single().Summary, Is.EqualTo(new DeletionSummary { Files = 3, Directories = 2, Bytes = 6, Present = 9 }));
    }

    [TestCase(4, null, "4")]
    [TestCase(0, null, "0")]
    [TestCase(null, 55.5, "55.5%")]
    [TestCase(null, 0.0, "0%")]
    public async Task Where_it_would_be_more_nothing_is_deleted_and_the_rest_is_done(int? items, double? percent, string limit)
    {
        var result = await UpAsync(Limit(items, percent));
        Assert.That((result.Files, result.Unchanged, result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((1L, 4L, 0L, 5L, 1L)));
        var failure = result.Failures.Single();
        Assert.That((failure.Path, failure.Error!.Error), Is.EqualTo((".", TransferError.Denied)));
        Assert.That(failure.Error.Message, Does.Contain("5 of 9 items").And.Contain($"--max-delete) allows {limit}:"));
        foreach (var path in (string[])["/t/new", "/t/gone/deep/b", "/t/x"]) Assert.That(Store[path], Is.Not.Null, path);
        Assert.That(_summaries.Single().Summary.IsRefused, Is.True);
        Assert.That(Store.Faults.Count("delete") + Store.Faults.Count("rmdir"), Is.LessThanOrEqualTo(1), "the mark of a check alone");
    }

    [Test]
    public async Task How_much_it_will_be_is_told_before_the_first_deletion([Values] bool dry)
    {
        await UpAsync(new() { DryRun = dry });
        var (summary, items) = _summaries.Single();
        Assert.That((summary.Files, summary.Directories), Is.EqualTo((3L, 2L)));
        Assert.That(Items.Values.Take(items).Count(item => item.Action == ItemAction.Delete), Is.Zero);
        Assert.That(Items.Values.Count(item => item.Action == ItemAction.Delete), Is.EqualTo(5));
    }

    [Test]
    public async Task A_dry_run_fails_as_the_run_itself_would()
    {
        var result = await UpAsync(Limit(4, null) with { DryRun = true });
        Assert.That((result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((0L, 5L, 1L)));
    }

    [Test]
    public async Task Without_anything_to_delete_nothing_is_said()
    {
        foreach (var path in (string[])["/t/x", "/t/gone/a", "/t/gone/deep/b"]) Store.DeleteFile(path);
        foreach (var path in (string[])["/t/gone/deep", "/t/gone"]) Store.RemoveDirectory(path);
        var result = await UpAsync(Limit(0, null));
        Assert.That((result.Deleted, result.Failed, _summaries.Count), Is.EqualTo((0L, 0L, 0)));
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "Links need a right there.")]
    public async Task Nothing_is_deleted_behind_a_local_folder_that_has_become_a_link_meanwhile()
    {
        Local.Add("to/d/deep/file", [1]);
        Local.Add("other/deep/file", [2]);
        var result = await Client.SynchronizeAsync(Local["to"], "/t", SyncDirection.Down, new SyncOptions
        {
            Delete = true,
            Deletions = new Noted(_ =>
            {
                Directory.Move(Local["to/d"], Local["away"]);
                File.CreateSymbolicLink(Local["to/d"], Local["other"]);
            }),
        }).Soon();
        Assert.That(result.Failures.Select(item => item.Path), Does.Contain("d/deep/file"));
        Assert.That(Local.Read("other/deep/file"), Is.EqualTo(new byte[] { 2 }));
    }

    [Test]
    public void Limits_that_are_none_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => DeletionLimit.OfItems(-1));
        foreach (var percent in new[] { -1.0, 100.1, double.NaN })
            Assert.Throws<ArgumentOutOfRangeException>(() => DeletionLimit.OfPercent(percent));
        Assert.That((DeletionLimit.OfItems(7).ToString(), DeletionLimit.OfPercent(2.5).ToString()), Is.EqualTo(("7", "2.5%")));
    }

    private static SyncOptions Limit(int? items, double? percent) =>
        new() { MaxDelete = items is { } most ? DeletionLimit.OfItems(most) : DeletionLimit.OfPercent(percent!.Value) };

    private Task<JobResult> UpAsync(SyncOptions options) => FolderJobs.UploadAsync(Client.Engine, Local.Path, "/t", options with
    {
        Delete = true,
        Filter = new TransferFilter { Exclude = ["*.log"] },
        Deletions = new Noted(summary => _summaries.Add((summary, Items.Values.Count))),
    }, new TransferJobContext(items: Items)).Soon();

    private sealed class Noted(Action<DeletionSummary> note) : IProgress<DeletionSummary>
    {
        public void Report(DeletionSummary value) => note(value);
    }
}
