using Transfer.Testing;

namespace Transfer.FluentFtp.Tests;

/// <summary>Folders and listings: absence is proved, or nothing follows from it.</summary>
[TestFixture(true)]
[TestFixture(false)]
public sealed class FolderTests(bool hasMlsd) : EmbeddedFixture
{
    // FluentFTP's own methods change many of these paths.
    private static readonly string[] Names =
    [
        "with space", "two  spaces", "back\\slash", "per%41cent", "quote\"d", "-rf", "~", "...three dots", ".hidden", "semi;colon", "a=b",
        "tab\there", "ünïcödé", "日本語", "no-break\u00a0space",
        "Type=file;Size=1; fake", " leading", "trailing ", "  both  ", "a -> b",
    ];

    private FtpTestServerOptions Options => hasMlsd
        ? new() : new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST" }, Greeting = "(vsFTPd 3.0.3)" };

    [Test]
    public async Task Odd_names_survive_both_ways_and_deletion()
    {
        var client = await StartAsync(Options);
        foreach (var name in Names) LocalFile(Path.Combine("tree", name, name), 10);
        await client.UploadDirectoryAsync(Path.Combine(Scratch, "tree"), "tree");
        Assert.That(Store.Files, Is.EquivalentTo(Names.Select(name => $"/tree/{name}/{name}")));

        var job = await client.DownloadDirectoryAsync("tree", Path.Combine(Scratch, "back"));
        Assert.That((job.Files, job.Failed), Is.EqualTo((Names.LongLength, 0L)));
        foreach (var name in Names) Assert.That(File.Exists(Path.Combine(Scratch, "back", name, name)), name);

        await client.DeleteAsync("tree", recursive: true);
        Assert.That(Store.Files, Is.Empty);
        Assert.That(Store.Directories, Has.None.StartsWith("/tree"));
    }

    [Test]
    public async Task A_name_that_the_listing_may_not_show_whole_makes_it_partial()
    {
        if (hasMlsd) Assert.Pass("MLSD shows it.");
        var client = await StartAsync(Options);
        Store.AddFile("/tree/   ", "x"u8);
        var error = await Assert.CatchAsync<TransferException>(async () => { await foreach (var _ in client.ListAsync("tree")) { } });
        Assert.That(error!.Error, Is.EqualTo(TransferError.Partial));
    }

    [Test]
    public async Task A_synchronisation_a_second_time_moves_nothing_and_deletes_what_is_gone()
    {
        var client = await StartAsync(Options);
        for (var i = 0; i < 12; i++) LocalFile($"tree/{i % 3}/{i}.bin", 100 + i);
        var tree = Path.Combine(Scratch, "tree");
        var first = await client.SynchronizeAsync(tree, "tree", SyncDirection.Up, new SyncOptions { Delete = true });
        File.Delete(Path.Combine(tree, "1", "4.bin"));
        var second = await client.SynchronizeAsync(tree, "tree", SyncDirection.Up, new SyncOptions { Delete = true });

        Assert.That((first.Files, first.Failed), Is.EqualTo((12L, 0L)));
        Assert.That((second.Files, second.Unchanged, second.Deleted, second.Failed), Is.EqualTo((0L, 11L, 1L, 0L)));
        Assert.That(Store.Files, Has.Count.EqualTo(11));
    }

    [Test]
    public async Task A_folder_that_is_refused_is_no_empty_folder()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/tree/a.bin", "x"u8);
        Server.Faults.Reply(hasMlsd ? "MLSD" : "LIST", "550 no", times: int.MaxValue);
        await Assert.CatchAsync<TransferException>(async () => { await foreach (var _ in client.ListAsync("tree")) { } });
    }

    [Test]
    public async Task Nothing_is_deleted_by_a_listing_that_was_cut()
    {
        var client = await StartAsync(Options);
        for (var i = 0; i < 50; i++)
        {
            LocalFile($"tree/{i}.bin", 100);
            Store.AddFile($"/tree/{i}.bin", Content(100));
        }
        Server.Faults.CutData(500, hasMlsd ? "MLSD" : "LIST", times: int.MaxValue);
        try
        {
            var job = await client.SynchronizeAsync(Path.Combine(Scratch, "tree"), "tree", SyncDirection.Down,
                new SyncOptions { Delete = true });
            Assert.That((job.Deleted, job.Failed), Is.EqualTo((0L, 1L)));
        }
        catch (TransferException e)
        {
            Assert.That(e.Error, Is.Not.EqualTo(TransferError.NotFound));
        }
        Assert.That(Directory.GetFiles(Path.Combine(Scratch, "tree")), Has.Length.EqualTo(50));
    }

    [Test]
    public async Task A_listing_whose_final_reply_never_comes_is_an_error()
    {
        var client = await StartAsync(Options, configure: fluent => fluent.Config.ReadTimeout = 300);
        Store.AddDirectory("/tree");
        Server.Faults.OmitFinalReply(hasMlsd ? "MLSD" : "LIST", times: int.MaxValue);
        var error = await Assert.CatchAsync<TransferException>(async () => { await foreach (var _ in client.ListAsync("tree")) { } });
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task A_listing_that_the_server_calls_truncated_is_partial()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/tree/a.bin", "x"u8);
        Server.Faults.FinalReply(hasMlsd ? "MLSD" : "LIST", "226 Output truncated to 1 matches");
        var error = await Assert.CatchAsync<TransferException>(async () => { await foreach (var _ in client.ListAsync("tree")) { } });
        Assert.That(error!.Error, Is.EqualTo(TransferError.Partial));
    }

    [Test]
    public async Task Absence_is_proved_and_presence_described()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/tree/a.bin", Content(5));
        Assert.That(await client.GetEntryAsync("tree/b.bin"), Is.Null);
        Assert.That((await client.GetEntryAsync("tree/a.bin"))!.Length, Is.EqualTo(5));
        Assert.That((await client.GetEntryAsync("tree"))!.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That(await client.GetEntryAsync("tree/c.bin"), Is.Null);
        Assert.That(await client.DeleteAsync("tree/c.bin"), Is.False);
    }

    [Test]
    public async Task A_file_is_moved_and_hashed()
    {
        var client = await StartAsync(Options);
        Store.AddFile("/a.bin", Content(5));
        await client.MoveAsync("a.bin", "b.bin");
        Assert.That(Store.Files, Is.EqualTo(new[] { "/b.bin" }));
        Assert.That(await client.GetHashAsync("b.bin", "SHA-256"),
            Is.EqualTo(Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(Content(5)))));
    }
}
