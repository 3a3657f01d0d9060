using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>A local folder and a server's, made alike.</summary>
public sealed class SyncTests : MemoryFixture
{
    private static SyncOptions Delete => new() { Delete = true };

    [Test]
    public async Task What_is_new_or_has_changed_is_sent_and_nothing_else()
    {
        Both("same", [1], Samples.Time, [1], Samples.Time);
        Both("same-second", [1], Samples.Time.AddMilliseconds(300), [1], Samples.Time);
        Both("longer", [1, 2], Samples.Time, [1], Samples.Time);
        Both("newer", [1], Samples.Time.AddSeconds(1), [2], Samples.Time);
        Both("older", [1], Samples.Time.AddHours(-1), [2], Samples.Time);
        Local.Add("d/new", [1], Samples.Time);
        Store.AddFile("/t/extra", [9]);

        var result = await UpAsync(new());

        Assert.That((result.Files, result.Unchanged, result.Deleted, result.Failed), Is.EqualTo((4L, 2L, 0L, 0L)));
        Assert.That(Told(ItemAction.Transfer), Is.EqualTo(new[] { "d/new", "longer", "newer", "older" }));
        Assert.That(Store["/t/older"]!.Content, Is.EqualTo(new byte[] { 1 }));
        Assert.That(Store["/t/extra"], Is.Not.Null);

        var again = await UpAsync(new());
        Assert.That((again.Files, again.Unchanged), Is.EqualTo((0L, 6L)));
    }

    [Test]
    public async Task The_first_time_everything_is_sent_and_the_folder_made()
    {
        Local.Add("a/b/c", [1], Samples.Time);
        Directory.CreateDirectory(Local["empty"]);
        Assert.That((await UpAsync(Delete)).Files, Is.EqualTo(1));
        Assert.That((Store["/t/a/b/c"]?.Modified, Store["/t/empty"]?.IsDirectory), Is.EqualTo((Samples.Time, true)));
        Assert.That(Store.Faults.Count("list"), Is.Zero);
    }

    [Test]
    public async Task What_the_source_has_not_is_deleted_folders_last()
    {
        Both("keep", [1], Samples.Time, [1], Samples.Time);
        foreach (var name in (string[])["x", "gone/a", "gone/deep/b", "gone/deep/c"]) Store.AddFile("/t/" + name, [9]);
        Store.AddDirectory("/t/gone/empty");
        Store.AddLink("/t/link", "keep");

        var result = await UpAsync(Delete);

        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/keep" }));
        Assert.That(Store["/t/gone"], Is.Null);
        Assert.That(Told(ItemAction.Delete),
            Is.EqualTo(new[] { "gone", "gone/a", "gone/deep", "gone/deep/b", "gone/deep/c", "gone/empty", "link", "x" }));
        Assert.That((result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((8L, 0L, 0L)));
        var order = Items.Values.Where(item => item.Type == RemoteEntryType.Directory).Select(item => item.Path).ToList();
        Assert.That(order[^1], Is.EqualTo("gone"));
    }

    [Test]
    public async Task What_is_excluded_is_neither_sent_nor_deleted_nor_is_the_folder_that_holds_it()
    {
        Local.Add("a.txt", [1], Samples.Time);
        Local.Add("b.log", [1], Samples.Time);
        foreach (var name in (string[])["c.log", "old/d.log", "old/e.txt", "big", "cache/x"])
            Store.AddFile("/t/" + name, new byte[name == "big" ? 99 : 1]);
        var result = await UpAsync(Delete with { Filter = new() { Exclude = ["*.log", "cache/"], MaxSize = 50 } });
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a.txt", "/t/big", "/t/c.log", "/t/cache/x", "/t/old/d.log" }));
        Assert.That((result.Files, result.Deleted, result.Failed), Is.EqualTo((1L, 1L, 0L)));
    }

    [Test]
    public async Task With_inclusions_only_what_is_included_is_deleted()
    {
        Local.Add("a.txt", [1], Samples.Time);
        foreach (var name in (string[])["b.txt", "c.bin", "d/e.txt", "f/g.txt", "f/h.bin"]) Store.AddFile("/t/" + name, [1]);
        await UpAsync(Delete with { Filter = new() { Include = ["*.txt"] } });
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a.txt", "/t/c.bin", "/t/f/h.bin" }));
    }

    [Test]
    public async Task A_source_without_a_file_deletes_nothing_unless_that_is_meant()
    {
        Directory.CreateDirectory(Local["empty"]);
        Store.AddFile("/t/a", [1]);
        var error = await UpAsync(Delete).Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a" }));

        var result = await UpAsync(Delete with { DeleteForEmptySource = true });
        Assert.That((result.Deleted, Store.Files.Count), Is.EqualTo((1L, 0)));
    }

    [Test]
    public async Task A_source_that_is_not_there_deletes_nothing()
    {
        Store.AddFile("/t/a", [1]);
        var error = await Client.SynchronizeAsync(Local["no"], "/t", SyncDirection.Up, Delete).Failure<TransferException>();
        Assert.That((error.Error, Store.Files.Count), Is.EqualTo((TransferError.NotFound, 1)));
    }

    [Test]
    public async Task Nothing_is_deleted_where_the_source_could_not_be_read()
    {
        Store.AddFile("/s/a", [1]);
        Store.AddFile("/s/locked/b", [1]);
        Local.Add("locked/old", [1]);
        Local.Add("locked/deep/older", [1]);
        Local.Add("other", [1]);
        Store.Faults.On("list", Fault.Refusal(TransferError.Denied), path: path => path == "/s/locked");
        var result = await Client.SynchronizeAsync(Local.Path, "/s", SyncDirection.Down, Delete).Soon();
        Assert.That(Local.Files, Is.EqualTo(new[] { "a", "locked/deep/older", "locked/old" }));
        Assert.That((result.Deleted, result.Failures.Single().Path), Is.EqualTo((1L, "locked")));
    }

    [Test]
    public async Task Nothing_is_deleted_where_the_target_could_not_be_read()
    {
        Local.Add("a", [1], Samples.Time);
        Store.AddFile("/t/gone/a", [1]);
        Store.AddFile("/t/gone/locked/b", [1]);
        Store.Faults.On("list", Fault.Refusal(TransferError.Denied), path: path => path == "/t/gone/locked");
        var result = await UpAsync(Delete);
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/gone/locked/b" }));
        Assert.That((result.Deleted, result.Failures.Single().Path), Is.EqualTo((1L, "gone/locked")));
    }

    [Test]
    public async Task Nothing_is_deleted_when_a_file_failed()
    {
        Local.Add("a", [1], Samples.Time);
        Local.Add("b", [1], Samples.Time);
        Store.AddFile("/t/x/y", [9]);
        Store.Faults.On("upload", Fault.Refusal(TransferError.Quota), path: path => path == "/t/b");
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((1L, 0L, 2L, 1L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/x/y" }));
    }

    [Test]
    public async Task Nothing_is_deleted_when_a_folder_could_not_be_made()
    {
        Local.Add("renamed/a", [1], Samples.Time);
        Local.Add("b", [1], Samples.Time);
        Store.AddFile("/t/before/a", [9]);
        Store.Faults.On("mkdir", Fault.Refusal(TransferError.Denied), path: path => path == "/t/renamed");
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((1L, 0L, 2L, 1L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/b", "/t/before/a" }));
    }

    [Test]
    public async Task Where_the_server_ignores_case_another_spelling_is_not_deleted()
    {
        var store = new MemoryStore(ignoresCase: true);
        await using var client = new MemoryTransferClient(store);
        foreach (var name in (string[])["README", "Docs/x", "Same"]) Local.Add(name, [1], Samples.Time);
        foreach (var name in (string[])["readme", "docs/x", "Same", "extra"]) store.AddFile("/t/" + name, [9], Samples.Time.AddDays(-1));
        for (var run = 0; run < 2; run++)
        {
            var result = await client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Up, Delete).Soon();
            Assert.That((result.Deleted, result.Failed), Is.EqualTo((run == 0 ? 1L : 0L, 0L)));
            foreach (var name in (string[])["README", "Docs/x", "Same"])
                Assert.That(store["/t/" + name]?.Content, Is.EqualTo(new byte[] { 1 }), name);
        }
    }

    [Test]
    public async Task Where_the_server_knows_case_another_spelling_is_another_file()
    {
        Local.Add("README", [1], Samples.Time);
        Local.Add("Docs/x", [1], Samples.Time);
        foreach (var name in (string[])["readme", "docs/x"]) Store.AddFile("/t/" + name, [9]);
        var result = await UpAsync(Delete);
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((3L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/Docs/x", "/t/README" }));
    }

    [TestCase("/s", "/s/d/inside", false)]
    [TestCase("/s/d", "/s", true)]
    [TestCase("/s", "/", true)]
    public async Task A_folder_is_not_synchronised_with_one_that_is_in_it(string from, string to, bool delete)
    {
        Store.AddFile("/s/d/a", [1]);
        var error = await Client.SynchronizeAsync(from, Client, to, new() { Delete = delete }).Failure<TransferException>();
        Assert.That((error.Error, Store.Files), Is.EqualTo((TransferError.Unsupported, new[] { "/s/d/a" })));
        await using var other = new MemoryTransferClient(Store);
        error = await Client.SynchronizeAsync(from, other, to, new() { Delete = delete }).Failure<TransferException>();
        Assert.That((error.Error, Store.Files), Is.EqualTo((TransferError.Unsupported, new[] { "/s/d/a" })));
    }

    [Test]
    public async Task A_folder_is_not_copied_into_one_that_is_in_it_by_any_path_of_one_log_in(
        [Values("/s/d", "/s/new/deep", "/l", "/l/new", "/u/../s/d")] string to, [Values("/s", "/s/.", "/k")] string from,
        [Values] bool synchronizes)
    {
        Store.AddFile("/s/d/a", [1]);
        Store.AddLink("/l", "s/d");
        Store.AddLink("/k", "s");
        await using var other = new MemoryTransferClient(Store);
        var error = await (synchronizes ? Client.SynchronizeAsync(from, other, to) : Client.CopyDirectoryAsync(from, other, to))
            .Failure<TransferException>();
        Assert.That((error.Error, Store["/s/d/a"]!.Length), Is.EqualTo((TransferError.Unsupported, 1)));
        Assert.That(Store.Files, Has.Count.EqualTo(3));
    }

    [Test]
    public async Task Paths_of_two_users_or_beside_each_other_are_no_overlap()
    {
        Store.AddFile("/s/a", [1]);
        await using var other = new MemoryTransferClient(new MemoryStore(), new() { Credential = new("another", "secret") });
        Assert.That((await Client.CopyDirectoryAsync("/s", other, "/s/d").Soon()).Files, Is.EqualTo(1));
        await using var same = new MemoryTransferClient(Store);
        Assert.That((await Client.CopyDirectoryAsync("/s", same, "/s2").Soon()).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task Neighbours_with_names_that_begin_alike_are_synchronised()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Assert.That((await Client.SynchronizeAsync("/s", Client, "/s2", Delete).Soon()).Files, Is.EqualTo(1));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/s/a", "/s2/a" }));
    }

    [Test]
    public async Task What_cannot_be_deleted_fails_alone_and_its_folder_stays()
    {
        Local.Add("a", [1], Samples.Time);
        Store.AddFile("/t/x/y", [9]);
        Store.AddFile("/t/z/y", [9]);
        Store.Faults.On("delete", Fault.Refusal(TransferError.Denied), path: path => path == "/t/x/y");
        var result = await UpAsync(Delete);
        Assert.That(result.Failures.Select(item => (item.Path, item.Action, item.Error!.Error)),
            Is.EqualTo(new[] { ("x/y", ItemAction.Delete, TransferError.Denied) }));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/x/y" }));
        Assert.That(Store["/t/z"], Is.Null);
    }

    [Test]
    public async Task Unfinished_files_of_other_jobs_are_not_touched_and_not_sent()
    {
        Local.Add("a", [1], Samples.Time);
        Local.Add(".transfer-0123456789abcdef-7.part", [1]);
        Store.AddFile("/t/.transfer-fedcba9876543210-1.part", [1]);
        Store.AddFile("/t/old/.transfer-fedcba9876543210-2.part", [1]);
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Deleted, result.Failed), Is.EqualTo((1L, 0L, 0L)));
        Assert.That(Store.Files, Has.Count.EqualTo(3));
    }

    [Test]
    public async Task What_was_renamed_is_renamed()
    {
        Store.Hashes = true;
        Local.Add("new/name", Samples.Bytes(5000), Samples.Time);
        Local.Add("stays", [1], Samples.Time);
        Store.AddFile("/t/old/place", Samples.Bytes(5000), Samples.Time);
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Bytes, result.Moved, result.Deleted), Is.EqualTo((1L, 1L, 1L, 1L)));
        Assert.That(Items.Values.Single(item => item.Action == ItemAction.Move),
            Has.Property("Path").EqualTo("new/name").And.Property("MovedFrom").EqualTo("old/place"));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/new/name", "/t/stays" }));
        Assert.That(Store["/t/old"], Is.Null);
    }

    [TestCase(5, 5, 0, true, Description = "Another second.")]
    [TestCase(0, 5, 4, true, Description = "Another length.")]
    [TestCase(0, 5, 5, false, Description = "Not asked for.")]
    [TestCase(0, 0, 0, true, Description = "Empty files are all alike.")]
    public async Task What_may_be_another_file_is_sent(int seconds, int length, int before, bool detect)
    {
        Store.Hashes = true;
        Local.Add("new", new byte[length], Samples.Time.AddSeconds(seconds));
        Store.AddFile("/t/old", new byte[before == 0 ? length : before], Samples.Time);
        var result = await UpAsync(Delete with { DetectMoves = detect });
        Assert.That((result.Files, result.Moved, result.Deleted), Is.EqualTo((1L, 0L, 1L)));
    }

    [TestCase(100, 0)]
    [TestCase(200_000, 199_999)]
    [TestCase(200_000, 100_000)]
    public async Task What_has_another_content_is_sent_though_length_and_time_are_the_same(int length, int at)
    {
        Store.Hashes = true;
        var content = Samples.Bytes(length);
        Store.AddFile("/t/old", [.. content], Samples.Time);
        content[at]++;
        Local.Add("new", content, Samples.Time);
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Moved, result.Deleted, result.ReadBack), Is.EqualTo((1L, 0L, 1L, 0L)));
        Assert.That(Store["/t/new"]!.Content, Is.EqualTo(content));
    }

    [TestCase(SyncComparison.Time)]
    [TestCase(SyncComparison.Hash)]
    public async Task What_the_server_does_not_hash_is_sent_and_nothing_is_fetched_to_compare_it(SyncComparison compare)
    {
        Local.Add("new", Samples.Bytes(5000), Samples.Time);
        Store.AddFile("/t/old", Samples.Bytes(5000), Samples.Time);
        var result = await UpAsync(Delete with { Compare = compare });
        Assert.That((result.Files, result.Moved, result.Deleted), Is.EqualTo((1L, 0L, 1L)));
        Assert.That(Store.Faults.Count("download"), Is.Zero);
    }

    [Test]
    public async Task Of_several_that_are_alike_only_those_that_kept_their_names_are_renamed()
    {
        Store.Hashes = true;
        foreach (var name in (string[])["new/a", "new/b", "new/c"]) Local.Add(name, [7, 7], Samples.Time);
        foreach (var name in (string[])["old/a", "old/b", "old/x", "older/b"]) Store.AddFile("/t/" + name, [7, 7], Samples.Time);
        var result = await UpAsync(Delete);
        Assert.That(Told(ItemAction.Move), Is.EqualTo(new[] { "new/a" }));
        Assert.That((result.Files, result.Moved, result.Deleted), Is.EqualTo((2L, 1L, 5L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/new/a", "/t/new/b", "/t/new/c" }));
    }

    [Test]
    public async Task A_rename_that_is_refused_becomes_a_transfer()
    {
        Store.Hashes = true;
        Local.Add("new", [7], Samples.Time);
        Store.AddFile("/t/old", [7], Samples.Time);
        Store.Faults.On("move", Fault.Refusal(TransferError.Denied), path: path => path == "/t/new");
        var result = await UpAsync(Delete);
        Assert.That((result.Files, result.Moved, result.Deleted, result.Failed), Is.EqualTo((1L, 0L, 1L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/new" }));
    }

    [Test]
    public async Task Without_deleting_nothing_is_renamed()
    {
        Local.Add("new", [7], Samples.Time);
        Store.AddFile("/t/old", [7], Samples.Time);
        Assert.That((await UpAsync(new())).Moved, Is.Zero);
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/new", "/t/old" }));
    }

    [Test]
    public async Task Nothing_is_replaced_by_another_kind_and_nothing_of_it_deleted()
    {
        Local.Add("file", [1], Samples.Time);
        Local.Add("folder/x", [1], Samples.Time);
        Store.AddFile("/t/file/inner", [1]);
        Store.AddFile("/t/folder", [1]);
        var result = await UpAsync(Delete);
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error)),
            Is.EquivalentTo(new[] { ("file", TransferError.Exists), ("folder/x", TransferError.Exists) }));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/file/inner", "/t/folder" }));
    }

    [Test]
    public async Task A_server_that_keeps_no_times_has_what_is_not_older()
    {
        var store = new MemoryStore { KeepsTimes = false };
        await using var client = new MemoryTransferClient(store);
        var sent = DateTimeOffset.UtcNow.AddDays(1);
        Local.Add("same", [1], Samples.Time);
        Local.Add("changed", [1], sent.AddDays(1));
        foreach (var name in (string[])["same", "changed"]) store.AddFile("/t/" + name, [1], sent);
        var result = await client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, new(), readItems: true).TellAsync(Items).Soon();
        Assert.That((Told(ItemAction.Transfer).Single(), result.Unchanged), Is.EqualTo(("changed", 1L)));
    }

    [Test]
    public async Task A_server_that_shows_no_times_has_what_is_as_long()
    {
        var store = new MemoryStore { KeepsTimes = false };
        await using var client = new MemoryTransferClient(store);
        Local.Add("same", [1], Samples.Time);
        Local.Add("longer", [1, 2], Samples.Time);
        foreach (var name in (string[])["same", "longer"]) store.AddFile("/t/" + name, [1], DateTimeOffset.UnixEpoch);
        var result = await client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, new(), readItems: true).TellAsync(Items).Soon();
        Assert.That((Told(ItemAction.Transfer).Single(), result.Unchanged), Is.EqualTo(("longer", 1L)));
    }

    [Test]
    public async Task A_server_that_keeps_days_has_what_is_not_of_a_later_day()
    {
        var store = new MemoryStore { KeepsTimes = false };
        await using var client = new MemoryTransferClient(store);
        // In the future: the system's own record of the change is earlier, and does not count.
        var day = new DateTimeOffset(DateTimeOffset.UtcNow.UtcDateTime.Date.AddDays(100), TimeSpan.Zero);
        Local.Add("same", [1], day.AddHours(9));
        Local.Add("later", [1], day.AddDays(1).AddHours(9));
        foreach (var name in (string[])["same", "later"]) store.AddFile("/t/" + name, [1], day);
        var result = await client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, new(), readItems: true).TellAsync(Items).Soon();
        Assert.That((Told(ItemAction.Transfer).Single(), result.Unchanged), Is.EqualTo(("later", 1L)));
    }

    [Test, Platform(Exclude = "Win")]
    public async Task A_file_put_in_place_of_another_with_an_older_time_is_sent_to_a_server_that_keeps_no_times()
    {
        var store = new MemoryStore { KeepsTimes = false };
        await using var client = new MemoryTransferClient(store);
        store.AddFile("/t/a", [1], DateTimeOffset.UtcNow.AddMinutes(-1));
        Local.Add("other", [2], Samples.Time);
        File.Move(Path.Combine(Local.Path, "other"), Path.Combine(Local.Path, "a"));
        await client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, new(), readItems: true).TellAsync(Items).Soon();
        Assert.That(Told(ItemAction.Transfer), Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task By_size_alone_times_do_not_matter()
    {
        Both("same", [1], Samples.Time.AddDays(1), [2], Samples.Time);
        Both("longer", [1, 2], Samples.Time, [1], Samples.Time);
        var result = await UpAsync(new() { Compare = SyncComparison.Size });
        Assert.That((Told(ItemAction.Transfer).Single(), result.Unchanged), Is.EqualTo(("longer", 1L)));
    }

    [Test]
    public async Task By_hash_only_contents_matter_and_what_was_read_back_is_told()
    {
        Both("same", [1, 2], Samples.Time.AddDays(1), [1, 2], Samples.Time);
        Both("changed", [1, 2], Samples.Time, [1, 3], Samples.Time);
        Both("longer", [1, 2, 3], Samples.Time, [1], Samples.Time);
        var result = await UpAsync(new() { Compare = SyncComparison.Hash });
        Assert.That(Told(ItemAction.Transfer), Is.EqualTo(new[] { "changed", "longer" }));
        Assert.That((result.Unchanged, result.ReadBack), Is.EqualTo((1L, 2L)));
    }

    [Test]
    public async Task A_file_that_cannot_be_hashed_fails()
    {
        Both("a", [1, 2], Samples.Time, [1, 2], Samples.Time);
        Store.Faults.On("download", Fault.Refusal(TransferError.Denied));
        var result = await UpAsync(new() { Compare = SyncComparison.Hash });
        Assert.That((result.Failures.Single().Error!.Error, result.Files), Is.EqualTo((TransferError.Denied, 0L)));
    }

    [Test]
    public async Task Links_that_are_alike_are_left_and_others_made_anew()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Needs links.");
        Local.Add("file", [1], Samples.Time);
        foreach (var (name, text) in new[] { ("same", "file"), ("other", "file"), ("new", "file") })
        {
            File.CreateSymbolicLink(Local[name],
                text);
        }

        Store.AddFile("/t/file", [1], Samples.Time);
        Store.AddLink("/t/same", "file");
        Store.AddLink("/t/other", "elsewhere");
        var result = await UpAsync(Delete with { Links = LinkHandling.Copy });
        Assert.That(Told(ItemAction.Transfer), Is.EqualTo(new[] { "new", "other" }));
        Assert.That((result.Unchanged, Store["/t/other"]!.LinkTarget, Store["/t/new"]!.LinkTarget), Is.EqualTo((2L, "file", "file")));
    }

    [Test]
    public async Task Behind_a_link_at_the_server_nothing_is_deleted()
    {
        Local.Add("d/a", [1], Samples.Time);
        Store.AddFile("/elsewhere/precious", [1]);
        Store.AddLink("/t/d", "/elsewhere");
        await UpAsync(Delete);
        Assert.That(Store.Files, Does.Contain("/elsewhere/precious"));
    }

    [Test]
    public async Task A_local_folder_becomes_like_the_servers()
    {
        Store.Hashes = true;
        Store.AddFile("/s/a", [1, 2], Samples.Time);
        Store.AddFile("/s/moved/here", [3, 4, 5], Samples.Time);
        Store.AddFile("/s/same", [6], Samples.Time);
        Local.Add("a", [1], Samples.Time);
        Local.Add("before", [3, 4, 5], Samples.Time);
        Local.Add("same", [6], Samples.Time);
        Local.Add("gone/deep/x", [1]);
        var result = await Client.SynchronizeAsync(Local.Path, "/s", SyncDirection.Down, Delete).Soon();
        Assert.That((result.Files, result.Moved, result.Unchanged, result.Deleted, result.Failed), Is.EqualTo((1L, 1L, 1L, 3L, 0L)));
        Assert.That(Local.Files, Is.EqualTo(new[] { "a", "moved/here", "same" }));
        Assert.That(Directory.Exists(Local["gone"]), Is.False);
        Assert.That(File.GetLastWriteTimeUtc(Local["moved/here"]), Is.EqualTo(Samples.Time.UtcDateTime));
    }

    [Test]
    public async Task Local_links_are_deleted_and_not_followed()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Needs links.");
        using var elsewhere = new TempFolder();
        elsewhere.Add("precious", [1]);
        Store.AddFile("/s/a", [1], Samples.Time);
        Directory.CreateSymbolicLink(Local["link"], elsewhere.Path);
        await Client.SynchronizeAsync(Local.Path, "/s", SyncDirection.Down, Delete).Soon();
        Assert.That((Local.Files, elsewhere.Files), Is.EqualTo((new[] { "a" }, new[] { "precious" })));
    }

    [Test]
    public async Task Names_that_lead_elsewhere_are_never_deleted()
    {
        Local.Add("a", [1], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.AddFile("/precious", [1]);
        Store.Extra.Add(new RemoteEntry { Path = "/t/../precious", Type = RemoteEntryType.File, Length = 1 });
        Assert.That((await UpAsync(Delete)).Deleted, Is.Zero);
        Assert.That(Store.Files, Does.Contain("/precious"));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_server_becomes_like_another_one(bool copies)
    {
        Store.Hashes = true;
        var other = new MemoryStore { Copies = copies, Hashes = true };
        await using var client = new MemoryTransferClient(other);
        var (source, from) = copies ? (other, client) : (Store, Client);
        source.AddFile("/s/a", [1], Samples.Time);
        source.AddFile("/s/d/b", [2, 2], Samples.Time);
        other.AddFile("/t/a", [1], Samples.Time);
        other.AddFile("/t/c", [2, 2], Samples.Time);
        other.AddFile("/t/e", [3], Samples.Time);
        var result = await from.SynchronizeAsync("/s", client, "/t", Delete).Soon();
        Assert.That((result.Unchanged, result.Moved, result.Deleted, result.Failed), Is.EqualTo((1L, 1L, 1L, 0L)));
        Assert.That(other.Files.Where(file => file.StartsWith("/t", StringComparison.Ordinal)), Is.EqualTo(new[] { "/t/a", "/t/d/b" }));
    }

    [Test]
    public async Task A_dry_run_tells_each_action_and_does_none()
    {
        Store.Hashes = true;
        Both("same", [1], Samples.Time, [1], Samples.Time);
        Local.Add("new/file", [1, 2], Samples.Time);
        Local.Add("new/moved", [1, 2, 3], Samples.Time);
        Store.AddFile("/t/gone/a", [9]);
        Store.AddFile("/t/before", [1, 2, 3], Samples.Time);
        var before = Store.Files;
        var result = await UpAsync(Delete with { DryRun = true });
        Assert.That(Items.Values.Select(item => (item.Action, item.Path, item.MovedFrom)), Is.EquivalentTo(new[]
        {
            (ItemAction.Keep, "same", (string?)null), (ItemAction.Transfer, "new/file", null), (ItemAction.Move, "new/moved", "before"),
            (ItemAction.Delete, "gone/a", null), (ItemAction.Delete, "gone", null),
        }));
        Assert.That((result.Files, result.Bytes, result.Moved, result.Deleted, result.Unchanged), Is.EqualTo((1L, 2L, 1L, 2L, 1L)));
        Assert.That(Store.Files, Is.EqualTo(before));
        foreach (var operation in (string[])["mkdir", "upload", "move", "set", "delete", "rmdir"])
            Assert.That(Store.Faults.Count(operation), Is.Zero, operation);
    }

    [Test]
    public async Task One_session_is_enough_and_sessions_may_be_lost()
    {
        for (var i = 0; i < 60; i++)
        {
            Local.Add($"d{i % 7}/f{i}", Samples.Bytes(300, i), Samples.Time);
            Store.AddFile($"/t/d{i % 5}/g{i}", [1], Samples.Time);
        }
        Store.Faults.On("list", new Fault { LoseBefore = true }, nth: 3);
        Store.Faults.On("delete", new Fault { LoseBefore = true }, nth: 20);
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var result = await client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Up, Delete).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((60L, 0L)));
        Assert.That(Store.Files, Is.EquivalentTo(Local.Files.Select(file => "/t/" + file)));
    }

    private Task<JobResult> UpAsync(SyncOptions options) =>
        Client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, options, readItems: true).TellAsync(Items).Soon();

    private IEnumerable<string> Told(ItemAction action) =>
        Items.Values.Where(item => item.Action == action).Select(item => item.Path).Order(StringComparer.Ordinal);

    private void Both(string name, byte[] ours, DateTimeOffset ourTime, byte[] theirs, DateTimeOffset theirTime)
    {
        Local.Add(name, ours, ourTime);
        Store.AddFile("/t/" + name, theirs, theirTime);
    }
}
