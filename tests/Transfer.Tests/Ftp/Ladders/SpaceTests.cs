using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Servers that read a name up to a space, or without the spaces at its end: another entry must never be taken for it.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class SpaceTests
{
    private static readonly string[] Mlsd = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"];

    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain
    };

    [Test]
    public async Task Nothing_is_deleted_or_fetched_because_of_the_listing_of_another_folder([Values] bool hasMlsd)
    {
        await using var server = Start(path => path.Split(' ')[0], hasMlsd);
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("old data/a", [1]);
        local.Add("old data/b", [2]);
        var result = await client.SynchronizeAsync(local.Path, "/d", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.Deleted), Is.EqualTo((2L, 0L)));
        Assert.That(local.Files, Is.EqualTo(new[] { "old data/a", "old data/b", "old/x" }));
    }

    [Test]
    public async Task No_command_names_a_path_that_the_server_would_cut([Values] bool hasMlsd)
    {
        await using var server = Start(path => path.Split(' ')[0], hasMlsd);
        await using var client = new FtpTransferClient(server.Uri, Options);
        foreach (var work in new Func<Task>[]
        {
            () => client.DeleteAsync("/d/old file").AsTask(), () => client.DeleteAsync("/d/old data", recursive: true).AsTask(),
            () => client.UploadAsync(new MemoryStream([2]), "/d/old file", new() { Overwrite = OverwriteMode.Always }),
            () => client.DownloadAsync("/d/old file", Stream.Null), () => client.MoveAsync("/d/old file", "/d/new").AsTask(),
            () => client.MoveAsync("/d/old/x", "/d/new one").AsTask(), () => client.CreateDirectoryAsync("/d/a b").AsTask(),
            () => client.ListAsync("/d/old data").CountAsync().AsTask(),
        })
        {
            Assert.That((await FtpHarness.FailsAsync(work)).Error, Is.EqualTo(TransferError.Unsupported));
        }
        Assert.That(server.Commands, Has.None.Contains("/d/old ").And.None.Contains("/d/a ").And.None.Contains("/d/new "));
        Assert.That(server.Files.Keys, Is.EquivalentTo(new[] { "/d/old/x", "/d/old file", "/d/old data/a" }));
    }

    [Test]
    public async Task Names_with_spaces_work_where_they_are_taken_whole_also_where_any_name_can_be_entered([Values] bool isStore)
    {
        await using var server = Start(path => path, hasMlsd: true, isStore);
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await client.ListAsync("/d/old data").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        await client.UploadAsync(new MemoryStream([2]), "/d/old data/b ");
        await client.DeleteAsync("/d/old file");
        Assert.That(server.Files.Keys, Is.EquivalentTo(new[] { "/d/old/x", "/d/old data/a", "/d/old data/b " }));
        Assert.That(server.Commands.Count(command => command.Contains("transfer-2f8c", StringComparison.Ordinal)), Is.EqualTo(1), "once");
    }

    [Test]
    public async Task Only_names_that_end_with_a_space_are_refused_where_the_server_leaves_those_away()
    {
        await using var server = Start(path => path.TrimEnd(' '), hasMlsd: true);
        server.Folders["/d/old "] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await client.ListAsync("/d/old data").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        var error = await FtpHarness.FailsAsync(() => client.ListAsync("/d/old ").CountAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    // "old" is a folder beside "old data" and "old file".
    private static OddServer Start(Func<string, string> read, bool hasMlsd, bool isStore = false)
    {
        string? entered = null;
        var server = new OddServer
        {
            Features = hasMlsd ? Mlsd : ["EPSV", "SIZE", "MDTM"],
            Read = read,
            Reply = (verb, path) => !isStore ? null : verb == "CWD" && (entered = path).Contains("transfer-", StringComparison.Ordinal)
                ? "250 there may be something" : verb == "PWD" && entered is not null ? $"257 \"{entered}\"" : null,
        };
        foreach (var folder in new[] { "/d", "/d/old", "/d/old data" }) server.Folders[folder] = true;
        foreach (var file in new[] { "/d/old/x", "/d/old file", "/d/old data/a" }) server.Files[file] = [1];
        return server;
    }
}
