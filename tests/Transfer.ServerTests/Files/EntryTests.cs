using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>Listing, describing, making, moving and deleting, on every server and variant.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Usual))]
[Parallelizable]
public sealed class EntryTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [Test]
    public async Task A_listing_says_what_is_there()
    {
        Server.Plant(Remote + "/file", Bytes.Random(1234));
        Server.Plant(Remote + "/.hidden", []);
        Server.Plant(Remote + "/folder/below", [1]);
        File.CreateSymbolicLink(Server.Local(Remote + "/link"), "file");
        var modified = DateTime.UtcNow.AddDays(-3);
        File.SetLastWriteTimeUtc(Server.Local(Remote + "/file"), modified);
        await using var client = Client();

        var entries = await client.ListAsync(Remote).ToDictionaryAsync(entry => entry.Name);

        Assert.That(entries.Keys, Is.EquivalentTo(new[] { "file", ".hidden", "folder", "link" }));
        Assert.That(entries["file"].Type, Is.EqualTo(RemoteEntryType.File));
        Assert.That(entries["file"].Path, Is.EqualTo(Remote + "/file"));
        Assert.That(entries["file"].Length, Is.EqualTo(1234));
        // Three days old: the coarsest of these servers still gives the minute.
        Assert.That(entries["file"].Modified!.Value.UtcDateTime, Is.EqualTo(modified).Within(TimeSpan.FromMinutes(1)));
        Assert.That(entries["folder"].Type, Is.EqualTo(RemoteEntryType.Directory));
    }

    [Test]
    public async Task A_recursive_listing_goes_into_every_folder()
    {
        Server.Plant(Remote + "/a/b/c/deep", [1]);
        Server.Plant(Remote + "/a/file", [1]);
        Server.Plant(Remote + "/top", [1]);
        await using var client = Client();

        var paths = await client.ListAsync(Remote, new ListOptions { Recursive = true }).Select(entry => entry.Path).ToListAsync();

        Assert.That(paths,
            Is.EquivalentTo(new[] { "/a", "/a/b", "/a/b/c", "/a/b/c/deep", "/a/file", "/top" }.Select(path => Remote + path)));
    }

    [Test]
    public async Task An_empty_folder_lists_as_empty_and_an_absent_one_is_not_found()
    {
        await using var client = Client();

        Assert.That(await client.ListAsync(Remote).ToListAsync(), Is.Empty);
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ListAsync(Remote + "/absent").ToListAsync()))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
    }

    [Test]
    public async Task An_entry_is_described_and_an_absent_one_is_null()
    {
        Server.Plant(Remote + "/file", Bytes.Random(1234));
        var modified = new DateTime(2021, 3, 4, 5, 6, 7, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(Server.Local(Remote + "/file"), modified);
        await using var client = Client();

        var file = (await client.GetEntryAsync(Remote + "/file"))!;
        var folder = (await client.GetEntryAsync(Remote))!;

        Assert.That((file.Type, file.Length, file.Modified), Is.EqualTo((RemoteEntryType.File, (long?)1234, (DateTimeOffset?)modified)));
        Assert.That(folder.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That((await client.GetEntryAsync("/"))!.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That(await client.GetEntryAsync(Remote + "/absent"), Is.Null);
        Assert.That(await client.GetEntryAsync(Remote + "/absent/too"), Is.Null);
    }

    [Test]
    public async Task Directories_are_made_with_those_above_and_existing_ones_are_fine()
    {
        await using var client = Client();

        await client.CreateDirectoryAsync(Remote + "/a/b/c");
        await client.CreateDirectoryAsync(Remote + "/a/b/c");
        await client.CreateDirectoryAsync(Remote + "/a/b/d", parents: false);

        Assert.That(Directory.Exists(Server.Local(Remote + "/a/b/c")) && Directory.Exists(Server.Local(Remote + "/a/b/d")), Is.True);
        Assert.That(async () => await client.CreateDirectoryAsync(Remote + "/x/y", parents: false), Throws.InstanceOf<TransferException>());
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task A_file_moves_and_replaces_only_when_asked()
    {
        Server.Plant(Remote + "/from", [1, 2, 3]);
        Server.Plant(Remote + "/to", [4]);
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.MoveAsync(Remote + "/from", Remote + "/to")))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "from", "to" }));

        await client.MoveAsync(Remote + "/from", Remote + "/to", overwrite: true);
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "to" }));
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/to")), [1, 2, 3]);
    }

    // Of a link that takes the place of its own file no content would be left.
    [Test]
    public async Task A_link_does_not_replace_the_file_to_which_it_leads()
    {
        Server.Plant(Remote + "/file", [1, 2, 3]);
        File.CreateSymbolicLink(Server.Local(Remote + "/link"), "file");
        await using var client = Client();

        var error = await Assert.CatchAsync<TransferException>(
            async () => await client.MoveAsync(Remote + "/link", Remote + "/file", overwrite: true));

        Assert.That(error!.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file", "link" }));
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), [1, 2, 3]);
    }

    [Test]
    public async Task A_folder_moves_with_what_is_in_it()
    {
        Server.Plant(Remote + "/from/file", [1]);
        await using var client = Client();

        await client.MoveAsync(Remote + "/from", Remote + "/to");

        Assert.That(File.Exists(Server.Local(Remote + "/to/file")), Is.True);
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.MoveAsync(Remote + "/absent", Remote + "/x")))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
    }

    [Test]
    public async Task Deleting_tells_whether_something_was_there()
    {
        Server.Plant(Remote + "/file", [1]);
        Directory.CreateDirectory(Server.Local(Remote + "/empty"));
        ServerUser.Own(Server.Local(Remote));
        await using var client = Client();

        Assert.That(await client.DeleteAsync(Remote + "/file"), Is.True);
        Assert.That(await client.DeleteAsync(Remote + "/empty"), Is.True);
        Assert.That(await client.DeleteAsync(Remote + "/file"), Is.False);
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public async Task A_full_folder_is_deleted_only_recursively_and_links_in_it_are_not_followed()
    {
        TestTree.Write(Server.Local(Remote + "/tree"), files: 60);
        Server.Plant(Remote + "/outside/precious", [1]);
        Directory.CreateSymbolicLink(Server.Local(Remote + "/tree/link"), "../outside");
        ServerUser.Own(Server.Local(Remote));
        await using var client = Client();

        Assert.That(async () => await client.DeleteAsync(Remote + "/tree"), Throws.InstanceOf<TransferException>());
        Assert.That(File.Exists(Server.Local(Remote + "/tree/.hidden")), Is.True);
        Assert.That(await client.DeleteAsync(Remote + "/tree", recursive: true), Is.True);

        Assert.That(RemoteNames(), Is.EqualTo(new[] { "outside" }));
        Assert.That(File.Exists(Server.Local(Remote + "/outside/precious")), Is.True);
    }

    [Test]
    public async Task The_log_in_folder_and_the_endpoints_path_are_understood()
    {
        Server.Plant(Remote + "/file", [1]);
        await using var client = Client();
        await using var below = Server.Client(Server.Url(Remote));

        // The served folder is the log-in folder.
        Assert.That(await client.GetEntryAsync("/~" + Remote[Server.Home.Length..] + "/file"), Is.Not.Null);
        Assert.That(await below.GetEntryAsync("file"), Is.Not.Null);
    }
}
