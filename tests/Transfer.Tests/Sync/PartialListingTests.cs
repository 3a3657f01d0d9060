using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>
/// A listing that lacks entries, or may lack some, proves no absence: to nothing that deletes, replaces or renames by it.
/// </summary>
public sealed class PartialListingTests : MemoryFixture
{
    private static readonly SyncOptions Delete = new() { Delete = true };

    [Test]
    public async Task What_a_partial_listing_of_the_source_lacks_is_not_deleted_in_its_folder_nor_below_it()
    {
        foreach (var name in (string[])["d/a", "d/sub/s", "other/o"]) Store.AddFile("/s/" + name, [1], Samples.Time);
        foreach (var name in (string[])["d/old", "d/sub/old", "d/gone/old", "other/old", "old"]) Local.Add(name, [1]);
        Store.Gaps["/s/d"] = "truncated";
        var result = await DownAsync(Delete);
        Assert.That(Local.Files, Is.EqualTo(new[] { "d/a", "d/gone/old", "d/old", "d/sub/old", "d/sub/s", "other/o" }));
        Assert.That((result.Files, result.Deleted, result.NotDeleted, result.Failed), Is.EqualTo((3L, 2L, 3L, 1L)));
        var failure = result.Failures.Single();
        Assert.That((failure.Path, failure.Error!.Error), Is.EqualTo(("d", TransferError.Partial)));
        Assert.That(failure.Error.Message, Does.Contain("truncated"));
    }

    [Test]
    public async Task Below_a_partial_root_nothing_is_deleted_and_the_root_is_what_failed()
    {
        Store.AddFile("/s/d/a", [1], Samples.Time);
        Local.Add("old", [1]);
        Local.Add("d/old", [1]);
        Store.Gaps["/s"] = "3 lines were not understood";
        var result = await DownAsync(Delete);
        Assert.That(Local.Files, Is.EqualTo(new[] { "d/a", "d/old", "old" }));
        Assert.That(result.Failures.Single().Path, Is.Empty);
    }

    [Test]
    public async Task A_partial_source_holds_the_deletions_at_another_server()
    {
        var there = new MemoryStore();
        await using var other = new MemoryTransferClient(there);
        Store.AddFile("/s/a", [1], Samples.Time);
        there.AddFile("/t/old", [1]);
        Store.Gaps["/s"] = "cut";
        var result = await Client.StartSynchronize("/s", other, "/t", Delete, readItems: true).TellAsync(Items).Soon();
        Assert.That(there.Files, Is.EqualTo(new[] { "/t/a", "/t/old" }));
        Assert.That((result.Failed, result.NotDeleted), Is.EqualTo((1L, 1L)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_copy_or_download_of_a_partial_folder_moves_what_is_told_and_fails(bool copies)
    {
        var there = new MemoryStore();
        await using var other = new MemoryTransferClient(there);
        Store.AddFile("/s/a", [1]);
        Store.AddFile("/s/d/b", [2]);
        Store.Gaps["/s/d"] = "a name was dropped";
        var result = copies
            ? await Client.CopyDirectoryAsync("/s", other, "/t").Soon() : await Client.DownloadDirectoryAsync("/s", Local.Path).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 1L)));
        Assert.That((result.Failures[0].Path, result.Failures[0].Error!.Error), Is.EqualTo(("d", TransferError.Partial)));
        Assert.That(copies ? there.Files : Local.Files, Has.Count.EqualTo(2));
    }

    [Test]
    public async Task An_empty_listing_that_may_be_that_of_an_unreadable_folder_deletes_nothing_and_is_no_failure()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Store.AddDirectory("/s/d");
        Local.Add("a", [1], Samples.Time);
        Local.Add("d/old", [1]);
        Store.HidesEmptiness = true;
        var result = await DownAsync(Delete);
        Assert.That(Local.Files, Is.EqualTo(new[] { "a", "d/old" }));
        Assert.That((result.Failed, result.NotDeleted), Is.EqualTo((0L, 1L)));

        result = await DownAsync(Delete with { DeleteForEmptySource = true });
        Assert.That(Local.Files, Is.EqualTo(new[] { "a" }));
        Assert.That(result.Deleted, Is.EqualTo(1));
    }

    [Test]
    public async Task Deletions_at_a_partial_target_take_what_it_names_and_say_that_there_may_be_more()
    {
        Local.Add("a", [1], Samples.Time);
        foreach (var name in (string[])["gone", "hidden", "dir/x", "dir/hidden"]) Store.AddFile("/t/" + name, [1]);
        Store.Unlisted.UnionWith(["/t/hidden", "/t/dir/hidden"]);
        Store.Gaps["/t"] = Store.Gaps["/t/dir"] = "truncated";
        var result = await UpAsync(Delete);
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a", "/t/dir/hidden", "/t/hidden" }));
        Assert.That(result.Failures.Select(item => (item.Path, item.Error!.Error == TransferError.Partial)),
            Is.SupersetOf(new[] { ("", true), ("dir", true), ("dir", false) }));
    }

    [Test]
    public async Task Files_that_a_partial_target_does_not_name_are_looked_up_and_not_sent_again()
    {
        Local.Add("a", [1], Samples.Time);
        Local.Add("b", [2], Samples.Time);
        Store.AddFile("/t/a", [1], Samples.Time);
        Store.AddFile("/t/b", [2], Samples.Time);
        Store.Unlisted.Add("/t/b");
        Store.Gaps["/t"] = "truncated";
        var result = await UpAsync(new());
        Assert.That((result.Files, result.Unchanged, result.Failed), Is.EqualTo((0L, 2L, 1L)));
    }

    [Test]
    public async Task Nothing_is_taken_for_moved_into_a_folder_whose_listing_is_partial()
    {
        var content = Samples.Bytes(500);
        Local.Add("new/f", content, Samples.Time);
        Local.Add("new/known", [1], Samples.Time);
        Store.AddFile("/t/old/f", content, Samples.Time);
        Store.AddFile("/t/new/known", [1], Samples.Time);
        Store.Gaps["/t/new"] = "truncated";
        var result = await UpAsync(Delete);
        Assert.That((result.Moved, result.Files), Is.EqualTo((0L, 1L)));
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Newer)]
    public async Task What_a_partial_target_does_not_name_is_looked_up_before_it_counts_as_new(OverwriteMode overwrite)
    {
        foreach (var name in (string[])["known", "hidden", "new"]) Local.Add(name, [1], Samples.Time);
        Store.AddFile("/t/known", [9], Samples.Time.AddDays(1));
        Store.AddFile("/t/hidden", [9], Samples.Time.AddDays(1));
        Store.Unlisted.Add("/t/hidden");
        Store.Gaps["/t"] = "truncated";
        await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That((Store["/t/hidden"]!.Content[0], Store["/t/known"]!.Content[0], Store["/t/new"]?.Content[0]),
            Is.EqualTo(((byte)9, (byte)9, (byte?)1)));
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Skip)]
    [TestCase(OverwriteMode.Newer)]
    public async Task Where_single_names_cannot_be_looked_up_nothing_counts_as_new(OverwriteMode overwrite)
    {
        foreach (var name in (string[])["known", "hidden", "new"]) Local.Add(name, [1], Samples.Time);
        Store.AddFile("/t/known", [9], Samples.Time.AddDays(1));
        Store.AddFile("/t/hidden", [9], Samples.Time.AddDays(1));
        Store.Unlisted.Add("/t/hidden");
        Store.Gaps["/t"] = "truncated";
        Store.IsBlind = true;
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That((Store["/t/hidden"]!.Content[0], Store["/t/new"], result.Files), Is.EqualTo(((byte)9, default(MemoryNode), 0L)));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Has.All.EqualTo(TransferError.Partial));
    }

    [TestCase(OverwriteMode.Fail)]
    [TestCase(OverwriteMode.Skip)]
    public async Task A_folder_that_the_server_says_it_made_is_new_only_where_it_was_not_listed(OverwriteMode overwrite)
    {
        foreach (var name in (string[])["f", "d/f", "d/e/f", "n/f"]) Local.Add(name, [1], Samples.Time);
        foreach (var name in (string[])["f", "d/f", "d/e/f"]) Store.AddFile("/t/" + name, [9]);
        Store.MakesAgain = true;
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = overwrite }).Soon();
        Assert.That((Store["/t/f"]!.Content[0], Store["/t/d/f"]!.Content[0], Store["/t/d/e/f"]!.Content[0]),
            Is.EqualTo(((byte)9, (byte)9, (byte)9)));
        Assert.That(result.Files, Is.EqualTo(1));
    }

    [Test]
    public async Task A_new_tree_is_not_listed_at_the_target()
    {
        foreach (var name in (string[])["f", "d/f", "d/e/f"]) Local.Add(name, [1], Samples.Time);
        var result = await Client.UploadDirectoryAsync(Local.Path, "/t", new() { Overwrite = OverwriteMode.Skip }).Soon();
        Assert.That((result.Files, Store.Faults.Count("list")), Is.EqualTo((3L, 0)));
    }

    [Test]
    public async Task A_name_that_comes_twice_is_sent_once_and_makes_the_listing_partial()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Store.AddFile("/s/b", [1], Samples.Time);
        Store.Extra.Add(new() { Path = "/s/a", Type = RemoteEntryType.File, Length = 1, Modified = Samples.Time });
        Local.Add("old", [1]);
        var result = await DownAsync(Delete);
        Assert.That(Local.Files, Is.EqualTo(new[] { "a", "b", "old" }));
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((2L, TransferError.Partial)));
    }

    [Test]
    public async Task A_name_that_no_folder_can_hold_holds_the_deletions_in_its_folder()
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Store.Extra.Add(new() { Path = "/s/x/y", Type = RemoteEntryType.File, Length = 1 });
        Local.Add("x_y", [1]);
        await DownAsync(Delete);
        Assert.That(Local.Files, Is.EqualTo(new[] { "a", "x_y" }));
    }

    [TestCase(null)]
    [TestCase(2)]
    [TestCase(1)]
    public async Task A_deletion_of_a_truncated_folder_goes_on_until_all_of_it_is_gone(int? limit)
    {
        foreach (var name in (string[])["a", "b", "c", "d/a", "d/b", "d/c", "e/f/g", "z"]) Store.AddFile("/t/" + name, [1]);
        Store.ListingLimit = limit;
        Assert.That(await Client.DeleteAsync("/t", recursive: true).AsTask().Soon());
        Assert.That((Store.Files.Count, Store["/t"]), Is.EqualTo((0, default(MemoryNode))));
    }

    [Test]
    public async Task A_deletion_takes_what_a_partial_listing_names_and_fails()
    {
        foreach (var name in (string[])["a", "b", "hidden"]) Store.AddFile("/t/" + name, [1]);
        Store.Unlisted.Add("/t/hidden");
        Store.Gaps["/t"] = "1 line was not understood";
        var error = await Client.DeleteAsync("/t", recursive: true).AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/hidden" }));
    }

    [Test]
    public async Task A_listing_with_a_name_that_comes_twice_is_partial([Values] bool isRecursive)
    {
        Store.AddFile("/s/a", [1], Samples.Time);
        Store.Extra.Add(Store.Describe("/s/a")!);
        var error = await Client.ListAsync("/s", new() { Recursive = isRecursive }).CountAsync().AsTask().Failure<TransferException>();
        Assert.That((error.Error, error.Message),
            Is.EqualTo((TransferError.Partial, "The listing is partial: 1 names come more than once.")));
    }

    [Test]
    public async Task A_target_whose_listing_has_a_name_twice_may_have_more_extra_entries_and_is_not_like_the_source()
    {
        Local.Add("a", [1]);
        Store.AddFile("/t/a", [1]);
        Store.AddFile("/t/old", [1]);
        Store.Extra.Add(Store.Describe("/t/a")!);
        var result = await UpAsync(Delete);
        Assert.That((Store.Files, result.Failures.Single().Error!.Error), Is.EqualTo((new[] { "/t/a" }, TransferError.Partial)));
    }

    [Test]
    public async Task A_listing_gives_all_it_has_and_then_throws_unless_partial_ones_are_accepted()
    {
        Store.AddFile("/d/a", [1]);
        Store.AddFile("/d/sub/b", [1]);
        Store.Gaps["/d"] = "truncated";
        var seen = new List<string>();
        var error = await ListAsync().Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath, seen.Count), Is.EqualTo((TransferError.Partial, "/d", 3)));
        Assert.That(await Client.ListAsync("/d", new() { Recursive = true, AcceptPartial = true }).CountAsync(), Is.EqualTo(3));

        async Task ListAsync()
        {
            await foreach (var entry in Client.ListAsync("/d", new() { Recursive = true })) seen.Add(entry.Path);
        }
    }

    private Task<JobResult> UpAsync(SyncOptions options) =>
        Client.StartSynchronize(Local.Path, "/t", SyncDirection.Up, options, readItems: true).TellAsync(Items).Soon();

    private Task<JobResult> DownAsync(SyncOptions options) =>
        Client.StartSynchronize(Local.Path, "/s", SyncDirection.Down, options, readItems: true).TellAsync(Items).Soon();
}
