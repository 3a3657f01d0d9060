using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>Which part of a folder is transferred.</summary>
public sealed class FilterTests : MemoryFixture
{
    [Test]
    public async Task What_is_excluded_is_left_out_and_an_excluded_folder_is_not_read()
    {
        foreach (var name in (string[])["a.txt", "b.tmp", "d/c.txt", "d/d.tmp", "cache/x.txt", "d/cache/y.txt"])
            Store.AddFile("/s/" + name, [1]);
        var result = await Client.DownloadDirectoryAsync("/s", Local.Path,
            new() { Filter = new() { Exclude = ["*.tmp", "/cache/"] } }).Soon();
        Assert.That(Local.Files, Is.EqualTo(new[] { "a.txt", "d/c.txt", "d/cache/y.txt" }));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((3L, 0L, 0L)));
        Assert.That(Store.Faults.Count("list"), Is.EqualTo(3)); // /s, /s/d, /s/d/cache
    }

    [Test]
    public async Task Only_what_is_included_is_taken_and_folders_without_any_are_not_made()
    {
        foreach (var name in (string[])["a.jpg", "b.txt", "d/e/c.jpg", "d/f/g.txt", "raw/x.txt", "raw/deep/y.jpg"]) Local.Add(name, [1]);
        Directory.CreateDirectory(Local["raw/empty"]);
        Directory.CreateDirectory(Local["empty"]);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Filter = new() { Include = ["*.jpg", "raw"] } }).Soon();
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a.jpg", "/t/d/e/c.jpg", "/t/raw/deep/y.jpg", "/t/raw/x.txt" }));
        Assert.That(result.Files, Is.EqualTo(4));
        Assert.That(Store["/t/raw/empty"]?.IsDirectory, Is.True);
        Assert.That((Store["/t/empty"], Store["/t/d/f"]), Is.EqualTo(((MemoryNode?)null, (MemoryNode?)null)));
    }

    [Test]
    public async Task An_exclusion_counts_more_than_an_inclusion()
    {
        foreach (var name in (string[])["a.txt", "d/b.txt", "d/c.bin"]) Local.Add(name, [1]);
        await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Filter = new() { Include = ["*.txt"], Exclude = ["a*"] } }).Soon();
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/d/b.txt" }));
    }

    [Test]
    public async Task With_inclusions_a_folder_that_cannot_be_made_fails_what_is_in_it_at_any_depth()
    {
        Local.Add("d/e/a.txt", [1]);
        Local.Add("b.txt", [1]);
        Store.Faults.On("mkdir", Fault.Refusal(TransferError.Denied), path: path => path == "/t/d");
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Filter = new() { Include = ["*.txt"] } }).Soon();
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EqualTo(new[] { ("d/e/a.txt", TransferError.Denied) }));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/b.txt" }));
    }

    [Test]
    public async Task Sizes_are_compared_with_both_ends_included()
    {
        for (var i = 0; i < 6; i++) Local.Add($"f{i}", new byte[i]);
        await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Filter = new() { MinSize = 2, MaxSize = 4 } }).Soon();
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/f2", "/t/f3", "/t/f4" }));
    }

    [Test]
    public async Task Ages_count_from_a_time_up_to_another()
    {
        for (var i = 0; i < 5; i++) Local.Add($"f{i}", [1], Samples.Time.AddDays(i));
        await Client.UploadDirectoryAsync(Local.Path, "/t",
            new() { Filter = new() { NewerThan = Samples.Time.AddDays(1), OlderThan = Samples.Time.AddDays(3) } }).Soon();
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/f1", "/t/f2" }));
    }

    [Test]
    public async Task What_is_not_known_leaves_nothing_out()
    {
        Store.AddFile("/s/f", [1]);
        Store.Extra.Add(new RemoteEntry { Path = "/s/g", Type = RemoteEntryType.File });
        var items = new Collected<ItemResult>();
        await Client.StartDownloadDirectory("/s", Local.Path,
            new() { Filter = new() { MinSize = 5, OlderThan = Samples.Time }, DryRun = true }, readItems: true).TellAsync(items).Soon();
        Assert.That(items.Values.Select(item => item.Path), Is.EqualTo(new[] { "g" }));
    }

    [Test]
    public async Task Links_are_filtered_by_their_names_and_followed_ones_by_what_they_lead_to()
    {
        Store.AddFile("/s/big", new byte[9]);
        Store.AddFile("/s/small", [1]);
        Store.AddLink("/s/to-big", "big");
        Store.AddLink("/s/to-small", "small");
        Store.AddLink("/s/left", "small");
        await Client.DownloadDirectoryAsync("/s", Local.Path,
            new() { Links = LinkHandling.Follow, Filter = new() { MaxSize = 5, Exclude = ["left"] } }).Soon();
        Assert.That(Local.Files, Is.EqualTo(new[] { "small", "to-small" }));
    }

    [Test]
    public async Task A_dry_run_tells_everything_and_changes_nothing()
    {
        Local.Add("new/deep/a", [1, 2]);
        Local.Add("same", [1]);
        Local.Add("folder/x", [1]);
        Store.AddFile("/t/same", [9]);
        Store.AddFile("/t/folder", [9]);
        var before = Store.Files;
        var items = new Collected<ItemResult>();
        var result = await Client.StartUploadDirectory(Local.Path, "/t", new() { Overwrite = OverwriteMode.Skip, DryRun = true },
            readItems: true).TellAsync(items).Soon();
        Assert.That(items.Values.Select(item => (item.Path, item.Action, item.Result?.Bytes, item.Error?.Error)), Is.EquivalentTo(new[]
        {
            ("new/deep/a", ItemAction.Transfer, (long?)2, (TransferError?)null),
            ("same", ItemAction.Skip, 0, null),
            ("folder/x", ItemAction.Transfer, null, TransferError.Exists),
        }));
        Assert.That((result.Files, result.Bytes, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 1L, 1L)));
        Assert.That(Store.Files, Is.EqualTo(before));
        foreach (var operation in (string[])["mkdir", "upload", "move", "set", "delete"])
            Assert.That(Store.Faults.Count(operation), Is.Zero, operation);
    }

    [Test]
    public async Task A_dry_run_into_nothing_makes_not_even_the_folder()
    {
        Store.AddFile("/s/d/a", [1]);
        var target = Local["target"];
        var result = await Client.DownloadDirectoryAsync("/s", target, new() { DryRun = true }).Soon();
        Assert.That((result.Files, Directory.Exists(target)), Is.EqualTo((1L, false)));
        await using var other = new MemoryTransferClient(Store);
        Assert.That((await Client.CopyDirectoryAsync("/s", other, "/u/v", new() { DryRun = true }).Soon()).Files, Is.EqualTo(1));
        Assert.That(Store["/u"], Is.Null);
    }
}
