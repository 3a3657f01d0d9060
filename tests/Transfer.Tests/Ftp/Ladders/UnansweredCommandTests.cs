using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Servers that do not answer a command that is not needed, or end the connection there.</summary>
[Category(Categories.Slow)]
public sealed class UnansweredCommandTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(2),
        Retry = Samples.SoonAgain,
    };

    [Test]
    public async Task A_command_without_a_reply_is_left_out([Values("OPTS", "SYST", "FEAT", "PWD")] string silent)
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == silent ? "" : null };
        server.Files["/a"] = [1, 2];
        await using (var client = new FtpTransferClient(server.Uri, Options))
            Assert.That(await client.ListAsync("/").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        var (asked, connections) = (server.Count(silent), server.Connections);
        await using (var client = new FtpTransferClient(server.Uri, Options))
            Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
        Assert.That((server.Count(silent), server.Connections), Is.EqualTo((asked, connections + 1)), "what the first client has found");
    }

    [Test]
    public async Task All_of_them_may_stay_without_a_reply()
    {
        await using var server = new OddServer { Reply = (verb, _) => verb is "OPTS" or "SYST" or "FEAT" or "PWD" or "XPWD" ? "" : null };
        server.Files["/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
    }

    [Test]
    public async Task A_command_at_which_connections_end_is_left_out([Values("OPTS", "SYST", "FEAT", "PWD")] string verb)
    {
        await using var ftp = await FtpHarness.StartAsync(new() { Greeting = "Hello" });
        ftp.Store.AddFile("/a", [1, 2]);
        ftp.Server.Faults.DropConnection(verb, times: 99);
        Assert.That((await ftp.Client.GetEntryAsync("/a"))?.Length, Is.EqualTo(2));
    }

    [Test]
    public async Task A_connection_that_ends_once_leaves_no_command_out()
    {
        await using var ftp = await FtpHarness.StartAsync(new() { Greeting = "Hello" });
        ftp.Server.Faults.DropConnection("FEAT", times: 2);
        await ftp.Client.ConnectAsync();
        Assert.That(ftp.Server.Commands.Count(command => command.Verb == "FEAT"), Is.EqualTo(3));
    }

    [Test]
    public async Task Attributes_that_are_not_answered_are_not_set([Values("MFMT", "SITE")] string silent)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MFMT"],
            Reply = (verb, _) => verb == silent ? "" : null
        };
        await using var client = new FtpTransferClient(server.Uri, Options with { Retry = Samples.SoonAgain with { Attempts = 5 } });
        await PutTwiceAsync(client, () => server.Count(silent));
        Assert.That(server.Files.Keys, Is.EquivalentTo(new[] { "/a", "/b" }));
    }

    [Test]
    public async Task Attributes_at_which_sessions_end_are_not_set([Values("MFMT", "SITE")] string verb)
    {
        await using var ftp = await FtpHarness.StartAsync(new() { Greeting = "Hello" });
        ftp.Server.Faults.DropConnection(verb, times: 99);
        await PutTwiceAsync(ftp.Client, () => ftp.Server.Commands.Count(command => command.Verb == verb));
        Assert.That(ftp.Store.Files, Is.EquivalentTo(new[] { "/a", "/b" }));
    }

    private static async Task PutTwiceAsync(FtpTransferClient client, Func<int> count)
    {
        using var folder = new TempFolder();
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, PreserveMode = true };
        await client.UploadFileAsync(folder.Add("a", [1, 2, 3]), "/a", options);
        var asked = count();
        await client.UploadFileAsync(folder.Add("b", [4, 5, 6]), "/b", options);
        Assert.That(asked, Is.GreaterThan(0));
        Assert.That(count(), Is.EqualTo(asked), "what the first file has shown");
    }

    [TestCase("257 is the current directory")]
    [TestCase("550 not for you")]
    [TestCase("257 \"\"")]
    public async Task XPWD_names_the_log_in_folder_where_PWD_does_not(string reply)
    {
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "PWD" ? reply : verb == "XPWD" ? "257 \"/home\" it is" : null
        };
        server.Folders["/home"] = true;
        server.Files["/home/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/~/a"))?.Length, Is.EqualTo(2));
    }
}
