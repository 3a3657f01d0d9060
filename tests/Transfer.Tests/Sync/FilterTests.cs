using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>Which part of a folder is transferred.</summary>
public sealed class FilterTests
{
    private MemoryStore _store = null!;
    private TempFolder _local = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _local = new TempFolder();
        _store = new MemoryStore();
        _client = new MemoryTransferClient(_store);
    }

    [TearDown]
    public async Task TearDown()
    {
        await _client.DisposeAsync();
        _local.Dispose();
    }

    [Test]
    public async Task What_is_excluded_is_left_out_and_an_excluded_folder_is_not_read()
    {
        foreach (var name in (string[])["a.txt", "b.tmp", "d/c.txt", "d/d.tmp", "cache/x.txt", "d/cache/y.txt"]) _store.AddFile("/s/" + name, [1]);
        var result = await _client.DownloadDirectoryAsync("/s", _local.Path, new() { Filter = new() { Exclude = ["*.tmp", "/cache/"] } }).Soon();
        Assert.That(_local.Files, Is.EqualTo(new[] { "a.txt", "d/c.txt", "d/cache/y.txt" }));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((3L, 0L, 0L)));
        Assert.That(_store.Faults.Count("list"), Is.EqualTo(3)); // /s, /s/d, /s/d/cache
    }

    [Test]
    public async Task Only_what_is_included_is_taken_and_folders_without_any_are_not_made()
    {
        foreach (var name in (string[])["a.jpg", "b.txt", "d/e/c.jpg", "d/f/g.txt", "raw/x.txt", "raw/deep/y.jpg"]) _local.Add(name, [1]);
        Directory.CreateDirectory(_local["raw/empty"]);
        Directory.CreateDirectory(_local["empty"]);
        var result = await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Filter = new() { Include = ["*.jpg", "raw"] } }).Soon();
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/a.jpg", "/t/d/e/c.jpg", "/t/raw/deep/y.jpg", "/t/raw/x.txt" }));
        Assert.That(result.Files, Is.EqualTo(4));
        Assert.That(_store["/t/raw/empty"]?.IsDirectory, Is.True);
        Assert.That((_store["/t/empty"], _store["/t/d/f"]), Is.EqualTo(((MemoryNode?)null, (MemoryNode?)null)));
    }

    [Test]
    public async Task An_exclusion_counts_more_than_an_inclusion()
    {
        foreach (var name in (string[])["a.txt", "d/b.txt", "d/c.bin"]) _local.Add(name, [1]);
        await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Filter = new() { Include = ["*.txt"], Exclude = ["a*"] } }).Soon();
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/d/b.txt" }));
    }

    [Test]
    public async Task With_inclusions_a_folder_that_cannot_be_made_fails_what_is_in_it_at_any_depth()
    {
        _local.Add("d/e/a.txt", [1]);
        _local.Add("b.txt", [1]);
        _store.Faults.On("mkdir", Fault.Refusal(TransferError.Denied), path: path => path == "/t/d");
        var result = await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Filter = new() { Include = ["*.txt"] } }).Soon();
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)), Is.EqualTo(new[] { ("d/e/a.txt", TransferError.Denied) }));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/b.txt" }));
    }

    [Test]
    public async Task Sizes_are_compared_with_both_ends_included()
    {
        for (var i = 0; i < 6; i++) _local.Add($"f{i}", new byte[i]);
        await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Filter = new() { MinSize = 2, MaxSize = 4 } }).Soon();
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/f2", "/t/f3", "/t/f4" }));
    }

    [Test]
    public async Task Ages_count_from_a_time_up_to_another()
    {
        for (var i = 0; i < 5; i++) _local.Add($"f{i}", [1], Samples.Time.AddDays(i));
        await _client.UploadDirectoryAsync(_local.Path, "/t", new() { Filter = new() { NewerThan = Samples.Time.AddDays(1), OlderThan = Samples.Time.AddDays(3) } }).Soon();
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/f1", "/t/f2" }));
    }

    [Test]
    public async Task What_is_not_known_leaves_nothing_out()
    {
        _store.AddFile("/s/f", [1]);
        _store.Extra.Add(new RemoteEntry { Path = "/s/g", Type = RemoteEntryType.File });
        var items = new Collected<ItemResult>();
        await _client.StartDownloadDirectory("/s", _local.Path, new() { Filter = new() { MinSize = 5, OlderThan = Samples.Time }, DryRun = true }, readItems: true).TellAsync(items).Soon();
        Assert.That(items.Values.Select(item => item.Path), Is.EqualTo(new[] { "g" }));
    }

    [Test]
    public async Task Links_are_filtered_by_their_names_and_followed_ones_by_what_they_lead_to()
    {
        _store.AddFile("/s/big", new byte[9]);
        _store.AddFile("/s/small", [1]);
        _store.AddLink("/s/to-big", "big");
        _store.AddLink("/s/to-small", "small");
        _store.AddLink("/s/left", "small");
        await _client.DownloadDirectoryAsync("/s", _local.Path, new() { Links = LinkHandling.Follow, Filter = new() { MaxSize = 5, Exclude = ["left"] } }).Soon();
        Assert.That(_local.Files, Is.EqualTo(new[] { "small", "to-small" }));
    }

    [Test]
    public async Task A_dry_run_tells_everything_and_changes_nothing()
    {
        _local.Add("new/deep/a", [1, 2]);
        _local.Add("same", [1]);
        _local.Add("folder/x", [1]);
        _store.AddFile("/t/same", [9]);
        _store.AddFile("/t/folder", [9]);
        var before = _store.Files;
        var items = new Collected<ItemResult>();
        var result = await _client.StartUploadDirectory(_local.Path, "/t", new() { Overwrite = OverwriteMode.Skip, DryRun = true }, readItems: true).TellAsync(items).Soon();
        Assert.That(items.Values.Select(item => (item.Path, item.Action, item.Result?.Bytes, item.Error?.Error)), Is.EquivalentTo(new[]
        {
            ("new/deep/a", ItemAction.Transfer, (long?)2, (TransferError?)null),
            ("same", ItemAction.Skip, 0, null),
            ("folder/x", ItemAction.Transfer, null, TransferError.Exists),
        }));
        Assert.That((result.Files, result.Bytes, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 1L, 1L)));
        Assert.That(_store.Files, Is.EqualTo(before));
        foreach (var operation in (string[])["mkdir", "upload", "move", "set", "delete"]) Assert.That(_store.Faults.Count(operation), Is.Zero, operation);
    }

    [Test]
    public async Task A_dry_run_into_nothing_makes_not_even_the_folder()
    {
        _store.AddFile("/s/d/a", [1]);
        var target = _local["target"];
        var result = await _client.DownloadDirectoryAsync("/s", target, new() { DryRun = true }).Soon();
        Assert.That((result.Files, Directory.Exists(target)), Is.EqualTo((1L, false)));
        await using var other = new MemoryTransferClient(_store);
        Assert.That((await _client.CopyDirectoryAsync("/s", other, "/u/v", new() { DryRun = true }).Soon()).Files, Is.EqualTo(1));
        Assert.That(_store["/u"], Is.Null);
    }
}
