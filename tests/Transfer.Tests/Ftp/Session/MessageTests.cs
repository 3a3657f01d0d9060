using Transfer.Ftp;
using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

public sealed class MessageTests
{
    [Test]
    public async Task A_refused_upload_names_the_path_that_was_asked_for_and_not_the_temporary_one([Values] VerificationMode verify)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("STOR", "553 no room for it");
        var error = await FtpHarness.FailsAsync(
            () => ftp.PutAsync("/d.txt", [1], new UploadOptions { Overwrite = OverwriteMode.Always, Verify = verify }));
        Assert.That(error.Message, Does.StartWith("STOR /d.txt: 553").And.Not.Contain(".transfer-"));
        Assert.That(error.RemotePath, Is.EqualTo("/d.txt"));
    }

    [TestCase("553 name not allowed", true)]
    [TestCase("501 not a member name", true)]
    [TestCase("550 denied", false)]
    [TestCase("550 denied", true, "Hello")]
    [TestCase("500 what?", true, "Hello")]
    [TestCase("504 not for that name", true, "Hello")]
    [TestCase("552 full", false, "Hello")]
    public async Task A_refusal_that_may_concern_the_temporary_name_alone_names_the_option(
        string reply, bool named, string? greeting = null)
    {
        await using var ftp = await FtpHarness.StartAsync(greeting is null ? null : new() { Greeting = greeting });
        ftp.Server.Faults.Reply("STOR", reply, times: 99, path: "*.transfer-*");
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d.txt", [1]));
        Assert.That(error.Message, named ? Does.Contain("--publish direct") : Does.Not.Contain("--publish direct"));
        await ftp.PutAsync("/d.txt", [1, 2], new UploadOptions { Publish = PublishMode.Direct });
        Assert.That(ftp.Store.ReadFile("/d.txt"), Has.Length.EqualTo(2));
    }

    [TestCase("RNFR", "550 /x/.transfer-0123456789abcdef-1.part: no")]
    [TestCase("RNTO", "553 no such name here")]
    public async Task A_refused_rename_names_the_path_that_was_asked_for(string verb, string reply)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d.txt", [9]);
        ftp.Server.Faults.Reply(verb, reply, times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d.txt", [1], new UploadOptions { Overwrite = OverwriteMode.Always }));
        Assert.That(error.Message,
            Does.Contain("/d.txt").And.Not.Contain(ftp.Server.Commands.First(command => command.Verb == "STOR").Argument));
        Assert.That(error.RemotePath, Is.EqualTo("/d.txt"));
    }

    [Test]
    public async Task A_file_that_is_moved_by_the_user_keeps_its_own_name_in_the_error()
    {
        await using var ftp = await FtpHarness.StartAsync();
        var error = await FtpHarness.FailsAsync(async () => await ftp.Client.MoveAsync("/absent", "/d.txt"));
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.NotFound, "/absent")));
        Assert.That(error.Message, Does.Contain("/absent"));
    }

    // 550 is one code for both (RFC 959 section 4.2.1).
    [TestCase("/absent", TransferError.NotFound, "does not exist", 1)]
    [TestCase("/secret", TransferError.Denied, "may not be read", 2)]
    public async Task A_file_that_is_refused_without_a_reason_is_looked_at(string path, TransferError expected, string reason, int tries)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/secret", [1]);
        ftp.Server.Faults.Reply("RETR", "550 no", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.GetAsync(path));
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((expected, path, (int?)550)));
        Assert.That(error.Message, Does.StartWith(path).And.Contain(reason).And.Contain("550 no"));
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(tries));
    }

    [Test]
    public async Task A_folder_that_is_not_created_for_a_file_in_the_way_says_so()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/f", [1]);
        ftp.Server.Faults.Reply("MKD", "550 no", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.CreateDirectoryAsync("/f").AsTask());
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((TransferError.Exists, "/f", (int?)550)));
        Assert.That(error.Message, Does.StartWith("/f exists, and is no folder").And.Contain("550 no"));
        error = await FtpHarness.FailsAsync(() => ftp.Client.CreateDirectoryAsync("/absent").AsTask());
        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.Denied, "MKD /absent: 550 no")));
    }

    [Test]
    public async Task In_a_folder_that_is_missing_nothing_is_moved_or_made_and_it_is_not_found([Values] bool hasMlst)
    {
        var disabled = hasMlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" };
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { DisabledCommands = disabled });
        ftp.Store.AddFile("/d/f", [1]);
        foreach (var act in new Func<Task>[]
        {
            () => ftp.Client.MoveAsync("/d/f", "/none/f").AsTask(),
            () => ftp.Client.CreateDirectoryAsync("/none/d", parents: false).AsTask(),
        })
        {
            var missing = await FtpHarness.FailsAsync(act);
            Assert.That((missing.Error, missing.ServerCode), Is.EqualTo((TransferError.NotFound, (int?)550)), missing.ToString());
            Assert.That(missing.Message, Does.StartWith("/none does not exist"));
        }
        ftp.Server.Faults.Reply("RNTO", "550 no", times: 99);
        var denied = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync("/d/f", "/d/g").AsTask());
        Assert.That(denied.Error, Is.EqualTo(TransferError.Denied), denied.ToString());
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/f" }));
    }

    // Pure-FTPd: each error of rename(2).
    [TestCase("/d/f", "/none/f", TransferError.NotFound, "/none does not exist")]
    [TestCase("/d", "/d/sub/t", TransferError.Denied, "/d/sub/t is below /d")]
    [TestCase("/d/f", "/d/g", TransferError.Lost, "RNTO /d/g: 451")]
    [Category(Categories.Slow)]
    public async Task A_rename_that_is_refused_for_now_is_looked_at(string from, string to, TransferError expected, string reason)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/f", [1]);
        ftp.Store.AddFile("/d/sub/g", [1]);
        ftp.Server.Faults.Reply("RNTO", "451 Rename/move failure", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.MoveAsync(from, to).AsTask());
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((expected, (int?)451)), error.ToString());
        Assert.That(error.Message, Does.StartWith(reason).And.Contain("451 Rename/move failure"));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/f", "/d/sub/g" }));
    }

    [TestCase("AUTH", "534 not by policy", "refuses TLS (AUTH TLS: 534 not by policy)")]
    [TestCase("AUTH", "431 no certificate now", "refuses TLS (AUTH TLS: 431 no certificate now)")]
    [TestCase("AUTH", "502 unknown", "offers no TLS (AUTH TLS: 502 unknown)")]
    [TestCase("PROT", "534 clear data only", "(PROT): 534 clear data only")]
    public async Task A_refusal_of_TLS_has_the_text_of_the_server(string verb, string reply, string expected)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            FtpHarness.OptionsFor(FtpTestTls.Explicit));
        ftp.Server.Faults.Reply(verb, reply, times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.PingAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Tls));
        Assert.That(error.Message, Does.Contain(expected));
    }

    [Test]
    public async Task A_folder_that_is_not_deleted_for_its_entries_says_so()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/f", [1]);
        await ftp.Client.CreateDirectoryAsync("/empty");
        ftp.Server.Faults.Reply("RMD", "550 no", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/d").AsTask());
        // Stores of objects would delete the entries too: nothing is sent that could.
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((TransferError.Denied, "/d", (int?)null)));
        Assert.That(error.Message, Is.EqualTo("/d is not empty."));
        Assert.That(ftp.Server.Commands.Select(command => command.Verb), Has.None.EqualTo("RMD"));
        error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/empty").AsTask());
        Assert.That(error.Message, Is.EqualTo("RMD /empty: 550 no"));
    }

    [TestCase("SSH-2.0-OpenSSH_9.2", "it speaks SSH")]
    [TestCase("220 ready", "FTP in clear text")]
    public async Task A_server_that_speaks_no_TLS_breaks_the_protocol_and_is_not_distrusted(string greeting, string what)
    {
        await using var server = new OddServer { Greeting = greeting };
        var endpoint = new UriBuilder(server.Uri) { Scheme = "ftps" }.Uri;
        await using var client = new FtpTransferClient(endpoint, FtpHarness.Options with { Retry = Samples.SoonAgain });
        var error = await FtpHarness.FailsAsync(() => client.PingAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(error.Message, Does.Contain("does not begin with TLS").And.Contain(what));
    }
}
