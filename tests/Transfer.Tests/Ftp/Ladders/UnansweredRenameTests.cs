using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Servers that do not answer RNFR: nothing is renamed there any more, and no old file is lost.</summary>
[Category(Categories.Slow)]
public sealed class UnansweredRenameTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(1),
        Retry = Samples.SoonAgain,
    };

    [Test]
    public async Task A_new_file_is_written_under_its_own_name([Values] bool hangs, [Values] bool describes)
    {
        await using var server = Server(hangs, describes);
        await using var client = new FtpTransferClient(server.Uri, Options);
        await PutAsync(client, "/new");
        Assert.That(server.Files.Select(file => (file.Key, file.Value.Length)), Is.EqualTo(new[] { ("/new", 3) }));
    }

    [Test]
    public async Task An_old_file_stays_whole([Values] bool hangs, [Values] bool describes)
    {
        await using var server = Server(hangs, describes);
        server.Files["/old"] = [7, 7];
        await using var client = new FtpTransferClient(server.Uri, Options);
        for (var i = 0; i < 2; i++)
        {
            var error = await FtpHarness.FailsAsync(() => PutAsync(client, "/old"));
            Assert.That(error.Message, Does.Contain("RNFR").Or.Contain("does not rename").And.Contain("--publish direct"));
        }
        Assert.That(server.Files.Select(file => (file.Key, file.Value.Length)), Is.EqualTo(new[] { ("/old", 2) }));
    }

    [Test]
    public async Task A_move_ends_with_an_error([Values] bool hangs)
    {
        await using var server = Server(hangs, describes: false);
        server.Files["/old"] = [7, 7];
        await using var client = new FtpTransferClient(server.Uri, Options);
        // One attempt more than the first move has is needed where all commands of a rename but RNFR are answered.
        await FtpHarness.FailsAsync(() => client.MoveAsync("/old", "/new").AsTask());
        var error = await FtpHarness.FailsAsync(() => client.MoveAsync("/old", "/new").AsTask());
        Assert.That((error.Error, server.Files.Single().Key), Is.EqualTo((TransferError.Unsupported, "/old")), error.Message);
    }

    [Test]
    public async Task An_outage_of_all_sessions_at_RNFR_leaves_no_renames()
    {
        var silent = true;
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb is "RNFR" or "RNTO" && Volatile.Read(ref silent) ? "" : null
        };
        await using var client = new FtpTransferClient(server.Uri, Options with { MaxSessions = 4 });
        foreach (var name in new[] { "/a", "/b", "/c", "/d" }) server.Files[name] = [1];
        var moves = new[] { "/a", "/b", "/c", "/d" }.Select(name => client.MoveAsync(name, name + "1").AsTask()).ToArray();
        while (server.Count("RNFR") < 4) await Task.Delay(20);
        Volatile.Write(ref silent, false);
        await Task.WhenAll(moves);
        Assert.That(server.Files.Keys, Is.EquivalentTo(new[] { "/a1", "/b1", "/c1", "/d1" }));
    }

    private static OddServer Server(bool hangs, bool describes) => new()
    {
        Features = describes ? ["EPSV", "SIZE", "MDTM", "MFMT", "MLST type*;size*;modify*;", "MLSD"] : ["EPSV", "SIZE", "MDTM"],
        HangsAt = hangs ? "RNFR" : null,
        Reply = (verb, _) => verb == "RNFR" ? "" : null,
    };

    private static async Task PutAsync(FtpTransferClient client, string path)
    {
        using var folder = new TempFolder();
        await client.UploadFileAsync(folder.Add("new", [1, 2, 3]), path, new() { Overwrite = OverwriteMode.Always });
    }
}
