using Transfer.Local;

namespace Transfer.Tests.Local;

[TestFixture]
public sealed class LocalTreeReaderTests
{
    private TempFolder _folder = null!;

    [SetUp]
    public void Make() => _folder = new TempFolder();

    [TearDown]
    public void Remove() => _folder.Dispose();

    [Test]
    public async Task A_directory_stands_before_its_content_and_the_root_is_no_item()
    {
        var time = new DateTimeOffset(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);
        _folder.Add("a/b/file", [1, 2, 3], time);
        Directory.CreateDirectory(_folder["empty"]);
        var items = await ReadAsync(new LocalTreeOptions());
        var paths = items.ConvertAll(item => item.Path);
        Assert.That(paths, Is.EquivalentTo(new[] { "a", "a/b", "a/b/file", "empty" }));
        Assert.That(paths.IndexOf("a"), Is.LessThan(paths.IndexOf("a/b")).And.LessThan(paths.IndexOf("a/b/file")));
        var file = items.Single(item => item.Path == "a/b/file");
        Assert.That((file.Type, file.State, file.Length, file.Modified),
            Is.EqualTo((RemoteEntryType.File, LocalTreeItemState.Found, 3L, time)));
    }

    [Test]
    public async Task Only_directories_with_included_files_are_items()
    {
        foreach (var path in new[] { "a/b/x.txt", "a/c/x.bin", "d/x.bin" }) _folder.Add(path, [1]);
        var options = new LocalTreeOptions { Filter = new TransferFilter { Include = ["*.txt"] } };
        Assert.That(Paths(await ReadAsync(options)), Is.EqualTo(new[] { "a", "a/b", "a/b/x.txt" }));
        Assert.That(Paths(await ReadAsync(new LocalTreeOptions { Only = ["d/x.bin"] })), Is.EqualTo(new[] { "d", "d/x.bin" }));
    }

    [Test]
    public async Task Files_that_are_finished_and_unfinished_files_of_transfers_are_left_out_with_the_directories_that_have_no_others()
    {
        _folder.Add("a/done", [1]);
        _folder.Add($"b/{new TemporaryNames().Next()}", [1]);
        var items = await ReadAsync(new LocalTreeOptions { Only = ["a/done"], IsFinished = item => item.Path == "a/done" });
        Assert.That(items.Select(item => (item.Path, item.State)), Is.EqualTo(new[] { ("a/done", LocalTreeItemState.Finished) }));
        items = await ReadAsync(new LocalTreeOptions { Filter = new TransferFilter { Include = ["b/*"] } });
        Assert.That(items.Select(item => item.State), Is.EqualTo(new[] { LocalTreeItemState.LeftOut }));
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "Links need a privilege there.")]
    public async Task Links_are_skipped_copied_or_followed()
    {
        _folder.Add("d/f", [1]);
        Directory.CreateSymbolicLink(_folder["to-d"], "d");
        File.CreateSymbolicLink(_folder["nowhere"], "absent");
        File.CreateSymbolicLink(_folder["out"], "/etc/hostname");
        string[] left = ["nowhere", "out", "to-d"];
        Assert.That(Paths((await ReadAsync(new LocalTreeOptions())).Where(item => item.State == LocalTreeItemState.LeftOut)),
            Is.EqualTo(left));
        var copied = (await ReadAsync(new LocalTreeOptions { Links = LinkHandling.Copy })).Where(item => item.Type == RemoteEntryType.Link);
        Assert.That(copied.OrderBy(item => item.Path).Select(item => item.LinkTarget),
            Is.EqualTo(new[] { "absent", "/etc/hostname", "d" }));
        var followed = await ReadAsync(new LocalTreeOptions { Links = LinkHandling.Follow });
        Assert.That(Paths(followed.Where(item => item.State == LocalTreeItemState.Found)),
            Is.EqualTo(new[] { "d", "d/f", "to-d", "to-d/f" }));
        Assert.That(followed.Single(item => item.Path == "nowhere").State, Is.EqualTo(LocalTreeItemState.LeftOut));
        Assert.That(followed.Single(item => item.Path == "out").Error!.Error, Is.EqualTo(TransferError.Denied));
    }

    // Twelve directories with two links each make 4,096 paths to the last one, and none of them is a loop.
    [Test]
    [Platform(Exclude = "Win", Reason = "Links need a privilege there.")]
    public async Task Directories_that_are_entered_through_links_are_bounded()
    {
        const int Depth = 12;
        for (var i = 0; i < Depth; i++)
        {
            Directory.CreateDirectory(_folder[$"d{i}"]);
            foreach (var name in new[] { "x", "y" })
            {
                if (i + 1 < Depth)
                    Directory.CreateSymbolicLink(_folder[$"d{i}/{name}"], $"../d{i + 1}");
            }
        }
        var items = await ReadAsync(new LocalTreeOptions { Links = LinkHandling.Follow, MaxFollowedDirectories = 100 });
        Assert.That(items.Count(item => item.State == LocalTreeItemState.Found), Is.EqualTo(Depth + 100));
        var failed = items.Where(item => item.State == LocalTreeItemState.Failed).ToList();
        Assert.That(failed.Select(item => item.Error!.Error), Is.Not.Empty.And.All.EqualTo(TransferError.Unsupported));
        Assert.That(failed[0].Error!.Message, Does.Contain("lead to more than 100 folders"));
        Assert.That(items, Has.Count.LessThan(1000), "what is not entered has no content");
    }

    [Test]
    public async Task Directories_that_wait_for_their_turn_are_bounded()
    {
        for (var i = 0; i < 100; i++) _folder.Add($"directory{i:000}/f", [1]);
        var items = await ReadAsync(new LocalTreeOptions { MaxListingBytes = 2000 });
        var failed = items.Where(item => item.State == LocalTreeItemState.Failed).ToList();
        Assert.That(failed.Select(item => item.Error!.Error), Is.Not.Empty.And.All.EqualTo(TransferError.Partial));
        Assert.That(items.Count(item => item is { State: LocalTreeItemState.Found, Type: RemoteEntryType.File }),
            Is.EqualTo(100 - failed.Count).And.GreaterThan(5));
    }

    [Test]
    public async Task What_cannot_be_read_is_an_item_that_failed_and_the_root_an_error()
    {
        var error = await ReadAsync(new LocalTreeOptions(), _folder["absent"]).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(() => new LocalTreeReader(_folder.Path).ReadAsync(new LocalTreeOptions { MaxListingBytes = 0 }),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Property("ParamName").EqualTo("options.MaxListingBytes"));
    }

    private static IEnumerable<string> Paths(IEnumerable<LocalTreeItem> items) =>
        items.Select(item => item.Path).Order(StringComparer.Ordinal);

    private async Task<List<LocalTreeItem>> ReadAsync(LocalTreeOptions options, string? root = null)
    {
        var items = new List<LocalTreeItem>();
        await foreach (var item in new LocalTreeReader(root ?? _folder.Path).ReadAsync(options)) items.Add(item);
        return items;
    }
}
