using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>
/// Pure-FTPd lists five entries of a folder at most: up to twice as many are seen from both ends, and what is behind that is never taken
/// for absent.
/// </summary>
[TestFixtureSource(nameof(Limited))]
[Parallelizable]
public sealed class ListingLimitTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Seen = 8;
    private const int TooMany = 14;

    private static readonly SyncOptions Delete = new() { Delete = true };

    protected override bool OwnServer => true;

    public static IEnumerable<TestFixtureData> Limited =>
        [new(ServerKind.PureFtpd, ServerVariant.Plain with { Name = "FiveEntries", ListingLimit = "5:3" }),
        new(ServerKind.PureFtpd, ServerVariant.Explicit with { Name = "FiveEntriesTls", ListingLimit = "5:3" })];

    [TestCase(2)]
    [TestCase(Seen)]
    public async Task A_folder_that_is_seen_from_both_ends_is_listed_whole_with_its_hidden_files_and_exact_times(int files)
    {
        Plant(files);
        Server.Plant(Remote + "/.hidden", [1]);
        File.CreateSymbolicLink(Server.Local(Remote + "/dangling"), "nowhere");
        await using var client = Client();
        var entries = await client.ListAsync(Remote).ToListAsync();
        Assert.That(entries.Select(entry => entry.Name).Order(StringComparer.Ordinal), Is.EqualTo(RemoteNames()));
        Assert.That(entries.Where(entry => entry.Type == RemoteEntryType.File).Select(entry => entry.Modified), Has.None.Null);
    }

    [Test]
    public async Task A_folder_of_more_is_listed_as_far_as_it_goes_and_is_partial()
    {
        Plant(TooMany);
        await using var client = Client();
        var count = 0;
        var error = (await Assert.CatchAsync<TransferException>(async () =>
        {
            await foreach (var _ in client.ListAsync(Remote)) count++;
        }))!;
        Assert.That((error.Error, count < TooMany, count >= 10), Is.EqualTo((TransferError.Partial, true, true)), error.Message);
        Assert.That(error.Message, Does.Contain("truncated"));
    }

    [TestCase(Seen, 0)]
    [TestCase(TooMany, 1)]
    public async Task Nothing_that_the_server_has_is_deleted_here_and_what_it_has_not_only_where_that_is_proved(int files, int failed)
    {
        Plant(files);
        var target = Path.Combine(Scratch, "target");
        Directory.CreateDirectory(target);
        for (var i = 0; i < files; i++) File.WriteAllBytes(Path.Combine(target, Name(i)), [1]);
        File.WriteAllBytes(Path.Combine(target, "old"), [1]);
        await using var client = Client();
        var result = await client.SynchronizeAsync(target, Remote, SyncDirection.Down, Delete);
        Assert.That(Directory.EnumerateFiles(target).Count(path => Path.GetFileName(path) != "old"), Is.EqualTo(files));
        Assert.That((result.Failed, File.Exists(Path.Combine(target, "old")), result.NotDeleted > 0),
            Is.EqualTo(((long)failed, failed > 0, failed > 0)));
    }

    [Test]
    public async Task What_the_server_does_not_list_is_not_replaced_when_it_is_to_be_skipped()
    {
        Plant(TooMany);
        var source = Path.Combine(Scratch, "source");
        Directory.CreateDirectory(source);
        for (var i = 0; i < TooMany; i++) File.WriteAllBytes(Path.Combine(source, Name(i)), [2, 2]);
        File.WriteAllBytes(Path.Combine(source, "new"), [2, 2]);
        await using var client = Client();
        var result = await client.UploadDirectoryAsync(source, Remote, new() { Overwrite = OverwriteMode.Skip });
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, (long)TooMany, 0L)));
        Assert.That(RemoteNames().Where(name => name != "new").Select(name => File.ReadAllBytes(Server.Local($"{Remote}/{name}")).Length),
            Has.All.EqualTo(1));
    }

    // The answer to STAT has three of them, and no word about the rest.
    [TestCase(Seen)]
    [TestCase(TooMany)]
    public async Task What_the_server_leaves_out_is_not_sent_again_by_a_synchronization_without_deletions(int files)
    {
        var source = Path.Combine(Scratch, "source");
        foreach (var folder in (string[])["a", "b"])
        {
            Directory.CreateDirectory(Path.Combine(source, folder));
            for (var i = 0; i < files; i++) File.WriteAllBytes(Path.Combine(source, folder, Name(i)), [2, 2]);
        }
        await using var client = Client();
        var first = await client.SynchronizeAsync(source, Remote, SyncDirection.Up);
        Assert.That((first.Files, first.Failed), Is.EqualTo((2L * files, 0L)));
        await using var again = Client();
        var second = await again.SynchronizeAsync(source, Remote, SyncDirection.Up);
        Assert.That((second.Files, second.Unchanged), Is.EqualTo((0L, 2L * files)));
    }

    [TestCase(Seen)]
    [TestCase(TooMany)]
    public async Task A_folder_is_deleted_with_all_that_is_in_it_however_much_is_listed_at_once(int files)
    {
        Plant(files, "/gone");
        Plant(files, "/gone/sub");
        await using var client = Client();
        Assert.That(await client.DeleteAsync(Remote + "/gone", recursive: true));
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public async Task A_download_of_more_fails_and_one_that_is_seen_does_not()
    {
        Plant(Seen, "/seen");
        Plant(TooMany, "/more");
        await using var client = Client();
        var seen = await client.DownloadDirectoryAsync(Remote + "/seen", Path.Combine(Scratch, "seen"));
        var more = await client.DownloadDirectoryAsync(Remote + "/more", Path.Combine(Scratch, "more"));
        Assert.That((seen.Files, seen.Failed), Is.EqualTo(((long)Seen, 0L)));
        Assert.That((more.Files < TooMany, more.Failures.Single().Error!.Error), Is.EqualTo((true, TransferError.Partial)));
    }

    private static string Name(int i) => $"file {(char)('a' + i)}";

    private void Plant(int files, string folder = "")
    {
        for (var i = 0; i < files; i++) Server.Plant($"{Remote}{folder}/{Name(i)}", [1]);
    }
}
