using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Ftp;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Session;
using Transfer.Sessions;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Engine;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Log-ins, data connections and listings at servers that differ from the usual, beside <see cref="LadderRowTests"/>.</summary>
[Category(Categories.Slow)]
public sealed class LadderTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(2),
        Retry = Samples.SoonAgain,
    };

    [Test]
    public async Task Files_are_sent_and_fetched_where_EPSVs_port_is_dead()
    {
        await using var server = new OddServer { HasDeadEpsv = true };
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var content = new MemoryStream([1, 2, 3]);
        await client.UploadAsync(content, "/a");
        Assert.That(server.Files.Keys, Is.EqualTo(new[] { "/a" }));
        using var fetched = new MemoryStream();
        await client.DownloadAsync("/a", fetched);
        Assert.That(fetched.ToArray(), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(server.Count("EPSV"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_server_that_hangs_up_on_EPSV_gets_PASV([Values] bool announces)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new() { Greeting = "Ready", DisabledCommands = announces ? new HashSet<string>() : new HashSet<string> { "FEAT" } });
        ftp.Server.Faults.DropConnection("EPSV", times: 99);
        await ftp.PutAsync("/a", [1, 2, 3]);
        Same.Bytes(await ftp.GetAsync("/a"), [1, 2, 3]);
        Assert.That(ftp.Work.Count(command => command.Verb == "EPSV"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_transfer_that_is_refused_says_nothing_against_EPSV()
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "STOR" ? "553 no" : null };
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var content = new MemoryStream([1]);
        await FtpHarness.FailsAsync(() => client.UploadAsync(content, "/a"));
        Assert.That(State(server).ToString(), Is.Empty);
    }

    [Test]
    public async Task A_password_that_was_refused_is_not_sent_on_a_lower_rung()
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "PASS" ? "530 no" : null };
        await using var client = new FtpTransferClient(server.Uri, Options);
        var error = await FtpHarness.FailsAsync(() => client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That((server.Count("PASS"), server.Connections), Is.EqualTo((1, 1)));
    }

    [Test]
    public async Task A_password_whose_check_takes_long_is_not_sent_again([Values] bool isRight)
    {
        var passwords = 0;
        // The check of the first password is over when QUIT has come, as if it had taken until then.
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb switch
            {
                "USER" => null,
                "PASS" => ++passwords > 1 ? null : "",
                _ when passwords > 1 => null,
                "QUIT" => (isRight ? "230 in" : "530 no") + "\r\n221 bye",
                _ => "",
            },
        };
        var clock = new ManualTime();
        await using var client = new FtpTransferClient(server.Uri, Options with { TimeProvider = clock });
        var connecting = client.ConnectAsync().AsTask();
        await Eventually.TrueAsync(() => server.Count("PWD") == 1, "the log-in");
        // The reply to USER has been read, or is: the clock goes on until the silence behind is noticed.
        await Eventually.TrueAsync(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(100));
            return server.Count("QUIT") == 1;
        }, "QUIT");
        if (isRight)
        {
            await connecting.WaitAsync(Eventually.Hang);
            Assert.That(server.Connections, Is.EqualTo(2), "the first one ended by QUIT");
            return;
        }
        var error = await FtpHarness.FailsAsync(() => connecting.WaitAsync(Eventually.Hang));
        Assert.That((error.Error, server.Count("PASS"), server.Connections), Is.EqualTo((TransferError.Auth, 1, 1)));
    }

    [Test]
    public async Task Silence_in_a_log_in_ends_within_half_of_its_time()
    {
        await using var server = new OddServer { ReadsOneCommand = true };
        await using var client = new FtpTransferClient(server.Uri,
            Options with { IdleTimeout = TimeSpan.FromMinutes(5), LogInTimeout = TimeSpan.FromSeconds(4) });
        await client.ConnectAsync();
        Assert.That(server.Connections, Is.EqualTo(2));
    }

    [Test]
    public async Task Off_means_the_log_in_too()
    {
        await using var server = new OddServer { ReadsOneCommand = true };
        await using var client = new FtpTransferClient(server.Uri, Options with { Pipelining = FtpPipelining.Off });
        await client.ConnectAsync();
        Assert.That((server.Connections, server.Count("USER")), Is.EqualTo((1, 1)));
    }

    [Test]
    public async Task A_rung_that_is_forced_is_used_and_no_other()
    {
        await using var server = new OddServer();
        server.Folders["/d"] = true;
        await using (var plain = new FtpTransferClient(server.Uri, Options with { Compatibility = FtpCompatibility.Plainest }))
            await ListAsync(plain);
        Assert.That((server.Count("EPSV"), server.Count("PASV")), Is.EqualTo((0, 1)));

        await using var dead = new OddServer { HasDeadEpsv = true };
        dead.Folders["/d"] = true;
        await using var forced =
            new FtpTransferClient(dead.Uri, Options with { Compatibility = new FtpCompatibility { DataPort = FtpDataPort.Epsv } });
        await FtpHarness.FailsAsync(() => ListAsync(forced));
        Assert.That(dead.Count("PASV"), Is.Zero);
    }

    [TestCase("Authorized use only.\r\n\r\n  *** all is logged ***\r\n220 ready")]
    [TestCase("220 Welcome\r\n220 second line")]
    [TestCase("220 Welcome\r\nto this server\r\n\r\n")]
    [TestCase("2024-01-02 backup server\r\n12 users are on\r\n220 ready")]
    [TestCase("220-Welcome\r\n220-more\r\n220 ready\r\n220 again\r\n220 and again")]
    public async Task Text_around_the_greeting_is_read_over(string greeting)
    {
        await using var server = new OddServer { Greeting = greeting };
        await using var client = new FtpTransferClient(server.Uri, Options);
        await client.ConnectAsync();
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_welcome_of_several_230s_is_read_over([Values(FtpPipelining.Off, FtpPipelining.Auto)] FtpPipelining pipelining)
    {
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "PASS" ? "230 Welcome\r\n230 second line\r\n230 third" : null,
        };
        await using var client = new FtpTransferClient(server.Uri, Options with { Pipelining = pipelining });
        await client.ConnectAsync();
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [TestCase("USER", "331 password")]
    [TestCase("PASS", "230 in")]
    [TestCase("SYST", "215 UNIX Type: L8")]
    [TestCase("FEAT", "211-Features:\r\n SIZE\r\n211 End")]
    [TestCase("OPTS", "200 fine")]
    [TestCase("TYPE", "200 fine")]
    [TestCase("PWD", "257 \"/\"")]
    public async Task Text_in_front_of_a_reply_of_the_log_in_is_read_over(string verb, string reply)
    {
        await using var server = new OddServer
        {
            Features = ["SIZE", "UTF8"],
            Reply = (sent, _) => sent == verb ? $"Welcome to this server\r\n17 users are on\r\n{reply}" : null,
        };
        server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        await ListAsync(client);
        // The second log-in is command by command.
        Assert.That(server.Connections, Is.LessThanOrEqualTo(2));
    }

    [Test]
    public async Task What_is_lost_behind_an_accepted_password_is_sent_command_by_command()
    {
        var passwords = 0;
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "PASS" ? $"230 in, {++passwords}" : passwords == 1 && verb != "USER" ? "" : null,
        };
        await using var client = new FtpTransferClient(server.Uri,
            Options with { IdleTimeout = TimeSpan.FromMinutes(5), LogInTimeout = TimeSpan.FromSeconds(4) });
        await client.ConnectAsync();
        Assert.That((server.Connections, server.Count("PASS")), Is.EqualTo((2, 2)));
    }

    [TestCase("550 not from there", TransferError.Lost)]
    [TestCase("500 no more users", TransferError.Lost)]
    [TestCase("530 not you", TransferError.Auth)]
    public async Task A_refusal_in_place_of_the_greeting_is_about_no_file(string greeting, TransferError expected)
    {
        await using var server = new OddServer { Greeting = greeting };
        await using var client = new FtpTransferClient(server.Uri, Options);
        var error = await FtpHarness.FailsAsync(() => client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(expected));
    }

    [TestCase("SSH-2.0-OpenSSH_10.0")]
    [TestCase("HTTP/1.1 400 Bad Request")]
    [TestCase("* OK IMAP4rev1 ready")]
    public async Task Another_protocol_is_named_at_once(string greeting)
    {
        await using var server = new OddServer { Greeting = greeting };
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromMinutes(5) });
        var error = await FtpHarness.FailsAsync(() => client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(error.Message, Does.Contain(greeting));
    }

    [TestCase("220 ready", "331 password")]
    [TestCase("220 (vsFTPd 3.0.5)", "331 password")]
    [TestCase("220 (vsFTPd 3.0.5)", "350 a reply to another command")]
    public async Task A_refused_password_is_not_sent_again_on_a_lower_rung(string greeting, string user)
    {
        await using var server = new OddServer
        {
            Greeting = greeting,
            Reply = (verb, _) => verb == "USER" ? user : verb == "PASS" ? "530 Login incorrect" : null,
        };
        var connector = new FtpConnector(
            server.Uri.Host, server.Uri.Port, FtpTlsMode.Off, new TransferCredential("demo", "wrong"), Options, null, _ => { },
            NullLogger.Instance);
        var error = await FtpHarness.FailsAsync(() => connector.OpenAsync(() => WorkKind.Upload, CancellationToken.None).AsTask());
        Assert.That((error.Error, server.Count("PASS")), Is.EqualTo((TransferError.Auth, 1)));
    }

    [TestCase("500 what?")]
    [TestCase("503 you are in")]
    [TestCase("530 not now")]
    [TestCase("202 superfluous")]
    public async Task A_password_that_USER_did_not_ask_for_may_be_refused(string reply)
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "USER" ? "230 in" : verb == "PASS" ? reply : null };
        await using var client = new FtpTransferClient(server.Uri, Options);
        await client.ConnectAsync();
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [Test]
    public async Task The_first_connection_is_tried_again_while_the_server_takes_none()
    {
        var refusals = 2;
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "USER" && Interlocked.Decrement(ref refusals) >= 0 ? "421 too many users" : null
        };
        var told = new List<string>();
        var options = Options with { LoggerFactory = new LogEvents(["TakesNoConnection"], text => { lock (told) told.Add(text); }) };
        await using var client = new FtpTransferClient(server.Uri, options);
        await client.ConnectAsync();
        Assert.That((server.Connections, told.Count), Is.EqualTo((3, 2)));
        Assert.That(told, Has.All.Contains("421 too many users"));
    }

    [Test]
    public async Task A_log_in_in_one_write_that_ends_with_421_is_followed_by_one_command_by_command()
    {
        await using var server = new OddServer { BatchReply = "421 too fast" };
        await using var client = new FtpTransferClient(server.Uri, Options);
        await client.ConnectAsync();
        Assert.That((server.Connections, server.Count("PASS")), Is.EqualTo((2, 1)));
        Assert.That((State(server)[FtpAbility.Commands], State(server).ToString()), Is.EqualTo((1, "")), "421 has other reasons too");
    }

    [Test]
    public async Task A_listing_whose_command_is_thrown_away_is_requested_command_by_command()
    {
        await using var server = new OddServer { ReadsOneOnceIn = true };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromSeconds(6) });
        await ListAsync(client);
        Assert.That((server.Connections, server.Count("PASV")), Is.EqualTo((2, 0)));
        Assert.That((State(server)[FtpAbility.Commands], State(server)[FtpAbility.List]), Is.EqualTo((1, 0)));
    }

    [Test]
    public async Task A_server_that_never_takes_a_connection_is_given_up_after_the_attempts_of_the_options()
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "USER" ? "421 too many users" : null };
        await using var client = new FtpTransferClient(server.Uri, Options with { Retry = Samples.SoonAgain with { Attempts = 2 } });
        var error = await FtpHarness.FailsAsync(() => client.ConnectAsync().AsTask());
        Assert.That((error.ServerCode, server.Connections), Is.EqualTo((421, 2)));
        Assert.That(error.Message, Does.Contain("too many users"));
    }

    [TestCase("USER")]
    [TestCase("PASS")]
    public async Task An_account_is_sent_where_it_is_asked_for(string verb)
    {
        await using var server =
            new OddServer { Reply = (command, _) => command == verb ? "332 account" : command == "ACCT" ? "230 in" : null };
        await using var client = new FtpTransferClient(server.Uri, Options with { Account = new FtpAccount("x") });
        await client.ConnectAsync();
        await using var without = new FtpTransferClient(server.Uri, Options);
        Assert.That((await FtpHarness.FailsAsync(() => without.ConnectAsync().AsTask())).Message, Does.Contain("ACCT"));
    }

    [Test]
    public void An_ability_that_is_back_is_kept_as_such()
    {
        var rungs = new FtpRungs();
        rungs.Recall("a14=1,a22=1");
        Assert.That(rungs.Raise(FtpAbility.KeptTimes));
        Assert.That((rungs.TryKeep(out var text), text), Is.EqualTo((true, "a14=1,a22=0")));
        rungs = new FtpRungs();
        rungs.Recall(text);
        Assert.That((rungs[FtpAbility.Times], rungs[FtpAbility.KeptTimes]), Is.EqualTo((1, 0)));
    }

    private static FtpRungs State(OddServer server) => FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs;

    private static async Task ListAsync(FtpTransferClient client)
    {
        var names = new List<string>();
        await foreach (var entry in client.ListAsync("/d")) names.Add(entry.Name);
        Assert.That(names, Is.EqualTo(new[] { "a" }).Or.Empty);
    }
}
