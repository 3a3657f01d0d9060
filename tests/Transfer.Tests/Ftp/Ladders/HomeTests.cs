using Transfer.Ftp;
using Transfer.Ftp.Protocol;
using Transfer.Ftp.Session;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Log-in folders that are no paths with slashes: names are sent relative to them, whatever folder was visited before.</summary>
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class HomeTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain
    };

    private static readonly TestCaseData[] Homes =
    [
        new("257 \"'PROD.'\" is the working directory name prefix.", "'PROD.'"),
        new("257 \"DISK:[USER]\" is current directory.", "DISK:[USER]"),
        new("257 DISK:[USER] is current directory.", "DISK:[USER]"),
        new("257 \"C:\\Users\\u\"", "C:\\Users\\u"),
        new("257 \"QGPL\" is the current library.", "QGPL"),
    ];

    [TestCaseSource(nameof(Homes))]
    public async Task Names_are_sent_relative_to_the_log_in_folder(string reply, string name)
    {
        await using var server = Start(reply, name);
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await NamesAsync(client, "/~"), Is.EquivalentTo(new[] { "a", "sub" }));
        Assert.That(await NamesAsync(client, "/~/sub/below"), Is.EqualTo(new[] { "c" }));
        using var fetched = new MemoryStream();
        await client.DownloadAsync("/~/a", fetched);
        Assert.That(fetched.ToArray(), Is.EqualTo(new byte[] { 1 }));
        Assert.That((await client.GetEntryAsync("/~/sub"))?.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That((await client.GetEntryAsync("/~/sub/b"))?.Length, Is.EqualTo(2));
        Assert.That(await client.GetEntryAsync("/~/none"), Is.Null);
        await FtpHarness.FailsAsync(() => NamesAsync(client, "/~/sub/none"));
        using var content = new MemoryStream([7]);
        await client.UploadAsync(content, "/~/sub/new");
        Assert.That(server.Files["/home/sub/new"], Is.EqualTo(new byte[] { 7 }));
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [TestCaseSource(nameof(Homes))]
    public async Task Trees_are_moved_in_both_directions(string reply, string name)
    {
        await using var server = Start(reply, name);
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        var down = await client.DownloadDirectoryAsync("/~", local.Path);
        Assert.That((down.Files, down.Failed), Is.EqualTo((3L, 0L)));
        var up = await client.UploadDirectoryAsync(local.Path, "/~/copy");
        Assert.That((up.Files, up.Failed), Is.EqualTo((3L, 0L)));
        Assert.That(server.Files.Keys, Does.Contain("/home/copy/sub/below/c"));
    }

    [TestCaseSource(nameof(Homes))]
    public async Task Names_from_NLST_are_looked_up_from_the_log_in_folder(string reply, string name)
    {
        await using var server = Start(reply, name, "LIST");
        await using var client = new FtpTransferClient(server.Uri, Options);
        var entries = await client.ListAsync("/~/sub").OrderBy(entry => entry.Name).ToListAsync();
        Assert.That(entries.Select(entry => (entry.Name, entry.Length)), Is.EqualTo(new[] { ("b", (long?)2), ("below", null) }));
    }

    [Test]
    public async Task A_session_that_cannot_return_is_not_used_for_names_of_elsewhere()
    {
        await using var server = Start("257 \"V:[U]\"", "another");
        await using var client = new FtpTransferClient(server.Uri, Options with { Retry = new RetryOptions { Attempts = 1 } });
        await FtpHarness.FailsAsync(async () =>
        {
            await NamesAsync(client, "/~/sub");
            server.Files["/home/sub/a"] = [9, 9];
            using var fetched = new MemoryStream();
            await client.DownloadAsync("/~/a", fetched);
            Assert.That(fetched.ToArray(), Is.EqualTo(new byte[] { 1 }));
            throw new TransferException(TransferError.Lost, "a new session had the right file");
        });
    }

    [TestCase("257 \"/home/u\" is current", "/home/u")]
    [TestCase("257 \"/a \"\"b\"\"\"", "/a \"b\"")]
    [TestCase("257 /home/u is current directory.", "/home/u")]
    [TestCase("257 Current directory: /home/u", "/home/u")]
    [TestCase("257 'PROD.' is the prefix", "'PROD.'")]
    [TestCase("257 SYS$DISK:[A.B] is default", "SYS$DISK:[A.B]")]
    [TestCase("257 C:\\ is current", "C:\\")]
    [TestCase("257 C:\\Data", "C:\\Data")]
    [TestCase("257 '/home/u' is current", "/home/u")]
    [TestCase("257-hello\r\n257 \"/home/u\"", "/home/u")]
    [TestCase("257 all is well", null)]
    [TestCase("257 \"\"", null)]
    [TestCase("502 no PWD", null)]
    public void The_reply_to_PWD_names_the_log_in_folder(string reply, string? expected)
    {
        var code = int.Parse(reply[..3], System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(FtpHome.Of(new FtpReply(code, [.. reply.Split("\r\n").Select(line => line[4..])])), Is.EqualTo(expected));
    }

    [TestCase("257 \"\" is current")]
    [TestCase("257 done")]
    [TestCase("502 no PWD")]
    [TestCase("550 denied")]
    public async Task Where_the_server_does_not_name_the_log_in_folder_names_in_it_are_refused(string reply)
    {
        await using var ftp = await FtpHarness.StartAsync(new() { HomeDirectory = "/home" });
        ftp.Server.Faults.Reply("PWD", reply);
        ftp.Server.Faults.Reply("XPWD", "500 unknown");
        ftp.Store.AddFile("/a", [1]);
        ftp.Store.AddFile("/home/a", [1]);
        foreach (var work in new Func<Task>[]
        {
            () => ftp.Client.DeleteAsync("/~/a").AsTask(), () => ftp.Client.DeleteAsync("/~", recursive: true).AsTask(),
            () => NamesAsync(ftp.Client, "/~"),
            () => ftp.Client.UploadAsync(new MemoryStream([2]), "/~/a"), () => ftp.Client.MoveAsync("/~/a", "/b").AsTask(),
            () => ftp.Client.CreateDirectoryAsync("/~/new").AsTask(), () => ftp.Client.GetEntryAsync("/~/a").AsTask(),
        })
        {
            Assert.That((await FtpHarness.FailsAsync(work)).Error, Is.EqualTo(TransferError.Unsupported));
        }
        Assert.That(ftp.Store.Files, Is.EquivalentTo(new[] { "/a", "/home/a" }));
        Assert.That(await NamesAsync(ftp.Client, "/"), Is.EquivalentTo(new[] { "a", "home" }));
        await ftp.Client.DeleteAsync("/a");
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/home/a" }));
    }

    [Test]
    public async Task A_server_from_before_PWD_is_asked_by_XPWD()
    {
        await using var ftp = await FtpHarness.StartAsync(new() { HomeDirectory = "/home" });
        ftp.Server.Faults.Reply("PWD", "500 unknown");
        ftp.Server.Faults.Reply("XPWD", "257 \"/home\"");
        ftp.Store.AddFile("/home/a", [1]);
        Assert.That(await NamesAsync(ftp.Client, "/~"), Is.EqualTo(new[] { "a" }));
    }

    private static async Task<List<string>> NamesAsync(FtpTransferClient client, string folder) =>
        await client.ListAsync(folder).Select(entry => entry.Name).ToListAsync();

    private static OddServer Start(string reply, string name, string? refused = null)
    {
        var server = new OddServer
        {
            Home = (reply, name),
            // Names with a leading slash are of another file system.
            Reply = (verb, path) => path.StartsWith('/') ? "550 no such name" : verb == refused ? "502 no" : null,
        };
        server.Folders["/home"] = server.Folders["/home/sub"] = server.Folders["/home/sub/below"] = true;
        server.Files["/home/a"] = [1];
        server.Files["/home/sub/b"] = [1, 2];
        server.Files["/home/sub/below/c"] = [1, 2, 3];
        return server;
    }
}
