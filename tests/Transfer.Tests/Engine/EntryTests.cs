namespace Transfer.Tests.Engine;

public sealed class EntryTests
{
    private MemoryStore _store = null!;
    private MemoryTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _store = new MemoryStore();
        _client = new MemoryTransferClient(_store, new() { MaxSessions = 1 });
    }

    [TearDown]
    public async Task TearDown() => await _client.DisposeAsync();

    [Test]
    public async Task A_path_exists_whatever_is_there()
    {
        _store.AddFile("/d/f", [1]);
        foreach (var (path, exists) in new[] { ("/d", true), ("/d/f", true), ("/d/g", false), ("/e", false) })
            Assert.That(await _client.ExistsAsync(path).AsTask().Soon(), Is.EqualTo(exists), path);
    }

    [Test]
    public async Task A_directory_is_listed_and_names_that_lead_elsewhere_are_left_out()
    {
        _store.AddFile("/d/f", [1, 2], Samples.Time);
        _store.AddDirectory("/d/sub");
        foreach (var name in new[] { ".", "..", "a/b", "nul\0", "../up" })
            _store.Extra.Add(new() { Path = "/d/" + name, Type = RemoteEntryType.File });
        var entries = await _client.ListAsync("/d", new() { AcceptPartial = true }).ToListAsync().Soon();
        Assert.That(entries.Select(entry => (entry.Name, entry.Type, entry.Length, entry.Modified)), Is.EquivalentTo(new[]
        {
            ("f", RemoteEntryType.File, (long?)2, (DateTimeOffset?)Samples.Time),
            ("sub", RemoteEntryType.Directory, null, default(DateTimeOffset)),
        }));
    }

    [Test]
    public async Task Recursively_each_directory_comes_before_what_is_in_it_and_links_are_not_followed()
    {
        for (var i = 0; i < 20; i++) _store.AddFile($"/r/a{i % 3}/b{i % 2}/f{i}", []);
        _store.Extra.Add(new() { Path = "/r/link", Type = RemoteEntryType.Link, LinkTarget = "/" });
        var paths = (await _client.ListAsync("/r", new() { Recursive = true }).ToListAsync().Soon()).Select(entry => entry.Path).ToList();
        Assert.That(paths, Has.Count.EqualTo(3 + 6 + 20 + 1));
        Assert.That(paths, Is.Unique);
        foreach (var path in paths.Where(path => RemotePath.GetParent(path) != "/r"))
            Assert.That(paths.IndexOf(RemotePath.GetParent(path)!), Is.InRange(0, paths.IndexOf(path) - 1), path);
    }

    [Test]
    public async Task A_loop_that_uses_the_client_works_with_one_session_whatever_the_size()
    {
        for (var i = 0; i < Transfer.Engine.Operations.BufferedListing.Ahead + 500; i++) _store.AddFile($"/d/f{i:D5}", []);
        var deleted = 0;
        await foreach (var entry in _client.ListAsync("/d"))
        {
            if (deleted++ < 3) Assert.That(await _client.DeleteAsync(entry.Path).Soon(), Is.True);
        }
        Assert.That(deleted, Is.EqualTo(Transfer.Engine.Operations.BufferedListing.Ahead + 500));
    }

    [Test]
    public async Task A_listing_that_is_left_early_gives_its_session_back()
    {
        for (var i = 0; i < 10_000; i++) _store.AddFile($"/d/f{i}", []);
        await foreach (var _ in _client.ListAsync("/d")) break;
        Assert.That(await _client.GetEntryAsync("/d").Soon(), Is.Not.Null);
    }

    [Test]
    public async Task Listing_what_is_not_there_throws_while_enumerating()
    {
        var error = await _client.ListAsync("/no").ToListAsync().AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task A_session_that_died_in_the_pool_is_replaced_without_a_word()
    {
        _store.AddFile("/d/f", []);
        foreach (var operation in new[] { "stat", "list", "mkdir" }) _store.Faults.On(operation, new Fault { LoseBefore = true });
        Assert.That(await _client.GetEntryAsync("/d").Soon(), Is.Not.Null);
        Assert.That(await _client.ListAsync("/d").ToListAsync().Soon(), Has.Count.EqualTo(1));
        await _client.CreateDirectoryAsync("/x").AsTask().Soon();
        Assert.That(_store.Opened, Is.EqualTo(4));
    }

    [Test]
    public async Task A_rename_whose_answer_is_lost_is_looked_up_and_not_asked_for_twice()
    {
        _store.AddFile("/a", [1, 2]);
        _store.Faults.On("move", new Fault { LoseAfter = true });
        await _client.MoveAsync("/a", "/b").AsTask().Soon();
        Assert.That(_store["/b"]!.Content.Length, Is.EqualTo(2));
        Assert.That(_store.Faults.Count("move"), Is.EqualTo(1));
    }

    [Test]
    public async Task Directories_are_made_with_and_without_those_above()
    {
        await _client.CreateDirectoryAsync("/a/b/c").AsTask().Soon();
        await _client.CreateDirectoryAsync("/a/b/c").AsTask().Soon();
        await _client.CreateDirectoryAsync("/a/x", parents: false).AsTask().Soon();
        Assert.That((_store["/a/b/c"]!.IsDirectory, _store["/a/x"]!.IsDirectory), Is.EqualTo((true, true)));
        var error = await _client.CreateDirectoryAsync("/n/o", parents: false).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound));
        _store.AddFile("/f", []);
        error = await _client.CreateDirectoryAsync("/f").AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
    }

    [Test]
    public async Task Deleting_tells_whether_there_was_anything()
    {
        _store.AddFile("/f", []);
        _store.AddDirectory("/d");
        Assert.That(await _client.DeleteAsync("/f").Soon(), Is.True);
        Assert.That(await _client.DeleteAsync("/f").Soon(), Is.False);
        Assert.That(await _client.DeleteAsync("/d").Soon(), Is.True);
        Assert.That(await _client.DeleteAsync("/d", recursive: true).Soon(), Is.False);
    }

    [Test]
    public async Task A_directory_with_something_in_it_is_deleted_only_when_asked()
    {
        for (var i = 0; i < 1000; i++) _store.AddFile($"/d/a{i % 4}/b{i % 3}/f{i}", []);
        _store.AddFile("/other", []);
        await _client.DeleteAsync("/d").AsTask().Failure<TransferException>();
        Assert.That(_store.Files, Has.Count.EqualTo(1001));
        Assert.That(await _client.DeleteAsync("/d", recursive: true).Soon(), Is.True);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/other" }));
        Assert.That(_store["/d"], Is.Null);
    }

    [Test]
    public async Task What_cannot_be_deleted_is_told_and_the_rest_is_gone()
    {
        for (var i = 0; i < 10; i++) _store.AddFile($"/d/e{i}/f", []);
        _store.Faults.On("delete", Fault.Refusal(TransferError.Denied), path: path => path == "/d/e4/f");
        var error = await _client.DeleteAsync("/d", recursive: true).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d/e4/f" }));
    }

    [Test]
    public async Task A_listing_cannot_lead_a_deletion_elsewhere()
    {
        _store.AddFile("/d/f", []);
        _store.AddFile("/victim/f", []);
        _store.Extra.Add(new() { Path = "/d/../victim", Type = RemoteEntryType.Directory });
        _store.Extra.Add(new() { Path = "/d/../victim/f", Type = RemoteEntryType.File });
        Assert.That(await _client.DeleteAsync("/d", recursive: true).Soon(), Is.True);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/victim/f" }));
        Assert.That(_store.Faults.Count("delete"), Is.EqualTo(1));
    }

    [Test]
    public async Task Moving_replaces_only_when_asked()
    {
        _store.AddFile("/a", [1]);
        _store.AddFile("/b", [2]);
        var error = await _client.MoveAsync("/a", "/b").AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists));
        await _client.MoveAsync("/a", "/b", overwrite: true).AsTask().Soon();
        Assert.That((_store["/a"], _store["/b"]!.Content.Single()), Is.EqualTo(((MemoryNode?)null, (byte)1)));
    }
}
