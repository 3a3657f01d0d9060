using System.Text;
using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Ftp.Protocol;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Authentication, RFC 4252 and RFC 4256.</summary>
public sealed class LogInTests
{
    [Test]
    public async Task A_password_goes_with_the_service_request_and_into_no_log()
    {
        var log = new LogRecorder();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings(log));
        await server.ExchangeVersionsAsync();
        await server.ExchangeKeysAsync();
        await server.ReceiveAsync(MessageNumber.ServiceRequest);

        // Nothing was answered yet, and the request is here.
        var request = Request(await server.ReceiveAsync(MessageNumber.AuthRequest));
        Assert.That((request.User, request.Method), Is.EqualTo(("alice", "password")));
        Assert.That(request.More, Does.EndWith("opensesame"));
        await server.SendAsync(ScriptedServer.Accept, Banner("Be good.\r\n\u001b[31mred"), [MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(log.Lines, Has.None.Contains("opensesame"));
        Assert.That(log.Lines, Has.Some.Contains("Be good."));
        Assert.That(string.Concat(log.Lines), Has.None.EqualTo('\u001b'));
    }

    [Test]
    public async Task A_server_that_repeats_the_password_does_not_bring_it_into_the_log_or_the_error()
    {
        var log = new LogRecorder();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings(log));
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Message(MessageNumber.Disconnect, w =>
        {
            w.WriteUInt32(14);
            w.WriteString("wrong: OpenSesame");
            w.WriteString("");
        }));
        var text = string.Join('\n', [.. log.Lines, (await SshHarness.FailureOfAsync(connecting)).ToString()]);
        Assert.That(text, Does.Contain("wrong: ***").And.Not.Contain("opensesame").IgnoreCase);
    }

    [Test]
    public async Task A_banner_that_repeats_the_password_is_logged_without()
    {
        var log = new LogRecorder();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings(log));
        await server.StartLogInAsync();
        await server.SendAsync(Banner("Who says opensesame?"), [MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(string.Join('\n', log.Lines), Does.Contain("Who says ***?").And.Not.Contain("opensesame").IgnoreCase);
    }

    [Test]
    public async Task Time_in_which_a_person_types_is_no_part_of_the_log_in()
    {
        var clock = new ManualTime();
        using var server = new ScriptedServer();
        var settings = SshHarness.Settings() with
        {
            Credential = null,
            TimeProvider = clock,
            LogInTimeout = TimeSpan.FromSeconds(60),
            Interaction = (_, _) =>
            {
                clock.Advance(TimeSpan.FromHours(1));
                return ValueTask.FromResult<IReadOnlyList<string>?>(["opensesame"]);
            },
        };
        var connecting = SshHarness.ConnectAsync(server, settings);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("password"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(connection.LogInTime, Is.LessThan(TimeSpan.FromSeconds(60)));
    }

    [TestCase(15)]
    [TestCase(MessageNumber.KexInit + 5)]
    public async Task Answers_that_the_server_does_not_read_are_limited_before_the_log_in_too(byte unknown)
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        server.Client.Stall();
        var flood = Enumerable.Repeat(new byte[] { unknown }, 5000).ToArray();
        try
        {
            for (var i = 0; i < 40 && !connecting.IsCompleted; i++) await server.SendAsync(flood);
        }
        catch (IOException)
        {
            // The client has closed the connection between two writes.
        }
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task A_banner_without_end_ends_the_log_in()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        var flood = Enumerable.Repeat(Banner(new string('x', 8000)), 40).ToArray();
        await server.SendAsync(flood);
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain("banner does not end"));
    }

    [Test]
    public async Task A_refusal_names_what_was_tried_and_what_is_offered()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("publickey,password"));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That(failure.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(failure.Message,
            Does.Contain("password (the credential)").And.Contain("publickey, password").And.Contain("alice").And.Not.Contain(
                "opensesame"));
    }

    [Test]
    public async Task Nothing_to_try_asks_what_is_offered()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Credential = null });
        Assert.That(Request(await server.StartLogInAsync()).Method, Is.EqualTo("none"));
        await server.SendAsync(ScriptedServer.Failure("gssapi-with-mic"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain("gssapi-with-mic"));
    }

    [Test]
    public async Task An_expired_password_is_told_and_not_changed()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
        {
            w.WriteString("new one please");
            w.WriteString("");
        }));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That((failure.Error, failure.Message),
            Is.EqualTo((TransferError.Auth, "The password of alice has expired and must be changed by other means first.")));
    }

    [Test]
    public async Task A_server_that_takes_only_questions_gets_the_password_as_an_answer()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("keyboard-interactive"));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Method, Is.EqualTo("keyboard-interactive"));
        await server.SendAsync(Questions(("Passwort: ", false)));
        Assert.That(Answers(await server.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "opensesame" }));
        await server.SendAsync(Questions()); // PAM likes to end so
        Assert.That(Answers(await server.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.Empty);
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task The_password_is_given_as_an_answer_once_only()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("keyboard-interactive"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(Questions(("Password: ", false)));
        await server.ReceiveAsync(MessageNumber.AuthInfoResponse);
        await server.SendAsync(Questions(("Password: ", false)));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That(failure.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(failure.Message, Does.Contain("\"Password:\"").And.Contain("given already").And.Not.Contain("opensesame"));

        // No answer, not even an empty one, which would be a failed log-in.
        await server.ReceiveAsync(MessageNumber.Disconnect);
    }

    [Test]
    public async Task The_application_answers_what_is_no_password()
    {
        SshQuestions? asked = null;
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            Interaction = (questions, _) =>
            {
                asked = questions;
                return new(["123456", "yes"]);
            },
        });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("keyboard-interactive", partial: true));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(Questions(("Code\u001b: ", false), ("Sure? ", true)));
        Assert.That(Answers(await server.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "123456", "yes" }));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(asked!.Prompts,
            Is.EqualTo(new[] { new SshPrompt { Text = "Code :", Echo = false }, new SshPrompt { Text = "Sure?", Echo = true } }));
    }

    [Test]
    public async Task A_question_that_repeats_the_password_is_asked_without()
    {
        SshQuestions? asked = null;
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            Interaction = (questions, _) =>
            {
                asked = questions;
                return new(["123456"]);
            },
        });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("keyboard-interactive", partial: true));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(Questions(("opensesame has ended, the code: ", false)));
        await server.ReceiveAsync(MessageNumber.AuthInfoResponse);
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(asked!.Prompts.Single().Text, Is.EqualTo("*** has ended, the code:"));
    }

    [Test]
    public async Task A_password_that_nobody_gave_is_asked_for_when_the_server_takes_no_questions()
    {
        var asked = new List<string>();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, Asking(asked, "typed"));
        Assert.That(Request(await server.StartLogInAsync()).Method, Is.EqualTo("keyboard-interactive"));
        Assert.That(asked, Is.Empty);
        await server.SendAsync(ScriptedServer.Failure("publickey,password"));
        var request = Request(await server.ReceiveAsync(MessageNumber.AuthRequest));
        Assert.That((request.Method, asked), Is.EqualTo(("password", new[] { "Password:" })));
        Assert.That(request.More, Does.EndWith("typed"));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task A_typed_password_that_was_refused_as_an_answer_is_not_tried_again_as_a_password()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, Asking([], "wrong"));
        await server.StartLogInAsync();
        await server.SendAsync(Questions(("Password: ", false)));
        Assert.That(Answers(await server.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "wrong" }));
        await server.SendAsync(ScriptedServer.Failure("password,keyboard-interactive"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task Nobody_who_gives_a_password_ends_the_log_in()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server,
            SshHarness.Settings() with { Credential = null, Interaction = (_, _) => new((IReadOnlyList<string>?)null) });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("password"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task A_second_connection_exchanges_keys_beside_the_first_log_in_and_never_tries_a_refused_password()
    {
        var settings = SshHarness.Settings();
        using ScriptedServer first = new(), second = new();
        var connecting = SshHarness.ConnectAsync(first, settings);
        await first.StartLogInAsync();
        var waiting = SshHarness.ConnectAsync(second, settings);
        await second.ExchangeVersionsAsync();
        await second.ExchangeKeysAsync();
        await first.SendAsync(ScriptedServer.Failure("password"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Auth));
        Assert.That((await SshHarness.FailureOfAsync(waiting)).Error, Is.EqualTo(TransferError.Auth));
        await second.ReceiveAsync(MessageNumber.Disconnect);
    }

    [Test]
    public async Task A_second_connection_logs_in_once_the_first_has()
    {
        var settings = SshHarness.Settings();
        using ScriptedServer first = new(), second = new();
        var connecting = SshHarness.ConnectAsync(first, settings);
        await first.StartLogInAsync();
        var waiting = SshHarness.ConnectAsync(second, settings);
        await first.SendAsync([MessageNumber.AuthSuccess]);
        await using var one = await connecting;
        await second.LogInAsync();
        await using var other = await waiting;
        Assert.That((one.IsUsable, other.IsUsable), Is.EqualTo((true, true)));
    }

    [Test]
    public async Task Questions_without_end_are_cut_off()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, Asking([], "typed"));
        await server.StartLogInAsync();
        while (!connecting.IsCompleted)
        {
            await server.SendAsync(Questions(("Again? ", true)));
            if ((await server.ReceiveAsync())[0] == MessageNumber.Disconnect) break;
        }

        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task One_key_signs_at_once_and_a_second_factor_follows()
    {
        using var server = new ScriptedServer();
        var signer = new FixedSigner(1);
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [signer] });
        var request = Request(await server.StartLogInAsync());
        Assert.That((request.Method, request.Signs), Is.EqualTo(("publickey", true)));
        await server.SendAsync(ScriptedServer.Failure("password", partial: true));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Method, Is.EqualTo("password"));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(Encoding.ASCII.GetString(signer.Signed.Span), Does.Contain("ssh-connection"));
    }

    [TestCase(null, "password", "publickey password publickey")]
    [TestCase(null, "keyboard-interactive", "publickey keyboard-interactive publickey")]
    [TestCase("password,publickey", "publickey", "password publickey password")]
    [TestCase("keyboard-interactive,publickey", "publickey", "keyboard-interactive publickey keyboard-interactive")]
    public async Task A_method_that_came_too_early_has_its_turn_behind_the_one_that_the_server_wants_first(
        string? preferred, string first, string expected)
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            Signers = [new FixedSigner(1)],
            LogInRules = new LogInRules { Preferred = preferred?.Split(',') },
        });
        var early = Request(await server.StartLogInAsync()).Method;
        List<string> tried = [early];
        await server.SendAsync(ScriptedServer.Failure(first));
        tried.Add(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Method);
        await server.SendAsync(ScriptedServer.Failure(early, partial: true));
        tried.Add(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Method);
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(tried, Is.EqualTo(expected.Split(' ')));
    }

    [Test]
    public async Task A_method_that_came_too_early_is_tried_no_third_time()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [new FixedSigner(1)] });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("password"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Failure("publickey", partial: true));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Failure("publickey", partial: true));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain("although a first method was right"));
    }

    [Test]
    public async Task A_password_that_was_typed_too_early_is_asked_for_once()
    {
        var asked = new List<string>();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, Asking(asked, "typed") with
        {
            Signers = [new FixedSigner(1)],
            LogInRules = new LogInRules { Preferred = ["password", "publickey"] },
        });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Failure("password", partial: true));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).More, Does.EndWith("typed"));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(asked, Is.EqualTo(new[] { "Password:" }));
    }

    [Test]
    public async Task Several_keys_are_asked_about_before_one_signs()
    {
        using var server = new ScriptedServer();
        FixedSigner first = new(1), second = new(2);
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [first, second] });
        Assert.That(Request(await server.StartLogInAsync()).Signs, Is.False);
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Signs, Is.False);
        await server.SendAsync(KeyOk(second));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Signs);
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(first.Signed.IsEmpty);
    }

    [Test]
    public async Task Approval_of_a_key_that_was_not_asked_about_is_refused()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [new FixedSigner(1), new FixedSigner(2)] });
        await server.StartLogInAsync();
        await server.SendAsync(KeyOk(new FixedSigner(3)));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Why_a_key_could_not_sign_is_in_the_error_of_an_answer_that_nobody_gives()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            Credential = null,
            Signers = [new FixedSigner(1) { Refuses = true }],
            Interaction = (_, _) => throw new TransferException(TransferError.Auth, "Nobody is there."),
        });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("password"));
        var error = await SshHarness.FailureOfAsync(connecting);
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.Message, Does.StartWith("Nobody is there. Tried before: publickey (key 1: the agent says no)"));
    }

    [Test]
    public async Task A_key_that_cannot_sign_leaves_the_other_ways_open()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [new FixedSigner(1) { Refuses = true }] });
        Assert.That(Request(await server.StartLogInAsync()).Method, Is.EqualTo("password"));
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain("the agent says no"));
    }

    [Test]
    public async Task A_server_that_hangs_up_after_refusals_means_the_log_in()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Signers = [new FixedSigner(1), new FixedSigner(2)] });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        server.End();
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task Too_many_keys_are_named_with_the_way_to_try_fewer()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server,
            SshHarness.Settings() with { Credential = null, Signers = [new FixedSigner(1), new FixedSigner(2), new FixedSigner(3)] });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Message(MessageNumber.Disconnect, w =>
        {
            w.WriteUInt32(2);
            w.WriteString("Too many authentication failures");
            w.WriteString("");
        }));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That(failure.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(failure.Message, Does.Contain("Tried: publickey (key 1), publickey (key 2); ").And.Contain("--identity")
            .And.Contain("IdentitiesOnly").And.Contain("Too many authentication failures"));
    }

    [TestCase(2019, "alice", "the certificate of key 1: it is not valid yet")]
    [TestCase(2041, "alice", "the certificate of key 1: it has expired")]
    [TestCase(2025, "carol", "the certificate of key 1: it is for alice, bob")]
    [TestCase(2025, "alice", "publickey (the certificate of key 1)")]
    public async Task A_refused_certificate_is_told_from_a_key_and_by_its_time_and_names(int year, string user, string expected)
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            User = user,
            Credential = null,
            Signers = [new FixedSigner(1) { PublicKey = Keys.Read.Certificate(Keys.TestCertificates.User) }],
            TimeProvider = new ManualTime(new DateTimeOffset(year, 6, 1, 0, 0, 0, TimeSpan.Zero)),
        });
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("publickey"));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain(expected));
    }

    [TestCase("ssh-rsa,ssh-ed25519", "key 1: the server takes none of rsa-sha2-512, rsa-sha2-256")]
    [TestCase("ssh-rsa,rsa-sha2-256", "key 1")]
    [TestCase(null, "key 1")]
    public void A_server_that_takes_RSA_keys_with_SHA_1_only_is_told_as_such(string? algorithms, string expected)
    {
        var signer = new FixedSigner(1) { PublicKey = Keys.Read.Certificate(Keys.TestCertificates.Rsa).Key };
        var method = new PublicKeyMethod("alice", signer, asksFirst: true, () => default, () => algorithms?.Split(','), null,
            TimeProvider.System);
        Assert.That(method.Detail, Is.EqualTo(expected));
    }

    [Test]
    public async Task Success_in_front_of_the_service_is_refused()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.ExchangeVersionsAsync();
        await server.ExchangeKeysAsync();
        await server.SendAsync([MessageNumber.AuthSuccess]);
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Channel_messages_during_the_log_in_are_refused()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Data(0, [1]));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public void The_best_signature_algorithm_that_the_server_names_is_used()
    {
        string[] rsa = ["rsa-sha2-512", "rsa-sha2-256"];
        Assert.That(PublicKeyMethod.Choose(rsa, null), Is.EqualTo("rsa-sha2-512"));
        Assert.That(PublicKeyMethod.Choose(rsa, ["ssh-ed25519", "rsa-sha2-256"]), Is.EqualTo("rsa-sha2-256"));
        Assert.That(PublicKeyMethod.Choose(["ssh-ed25519"], ["rsa-sha2-256"]), Is.EqualTo("ssh-ed25519"));
        Assert.That(PublicKeyMethod.Choose(["rsa-sha2-512-cert-v01@openssh.com", "rsa-sha2-256-cert-v01@openssh.com"], ["rsa-sha2-256"]),
            Is.EqualTo("rsa-sha2-256-cert-v01@openssh.com"));
    }

    [Test]
    public async Task The_application_is_asked_for_the_code_beside_the_known_password_and_no_second_connection_logs_in()
    {
        var asked = new List<string>();
        var settings = Asking(asked, "123456") with { Credential = new TransferCredential("alice", "opensesame") };
        using ScriptedServer first = new(), second = new();
        var connecting = SshHarness.ConnectAsync(first, settings);
        await first.StartLogInAsync();
        await first.SendAsync(ScriptedServer.Failure("keyboard-interactive"));
        await first.ReceiveAsync(MessageNumber.AuthRequest);
        await first.SendAsync(Questions(("alice's Password:", false), ("Passcode: ", false)));
        Assert.That(Answers(await first.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "opensesame", "123456" }));
        await first.SendAsync([MessageNumber.AuthSuccess]);
        await using var one = await connecting;

        var waiting = SshHarness.ConnectAsync(second, settings);
        await second.ExchangeVersionsAsync();
        await second.ExchangeKeysAsync();

        Assert.That(await SshHarness.FailureOfAsync(waiting), Is.TypeOf<LogInHeldException>());
        Assert.That((one.HasOneTimeLogIn, asked), Is.EqualTo((true, new[] { "Passcode:" })));
    }

    [TestCase("publickey,password,keyboard-interactive", "publickey password keyboard-interactive")]
    [TestCase("password,publickey", "password publickey")]
    [TestCase("keyboard-interactive,hostbased", "keyboard-interactive")]
    [TestCase("gssapi-with-mic", "none")]
    public async Task Only_the_methods_that_are_preferred_are_tried_in_their_order(string preferred, string expected)
    {
        using var server = new ScriptedServer();
        var settings = SshHarness.Settings() with
        {
            Signers = [new FixedSigner(1)],
            LogInRules = new LogInRules { Preferred = preferred.Split(',') }
        };
        var connecting = SshHarness.ConnectAsync(server, settings);
        var request = await server.StartLogInAsync();
        var tried = new List<string>();
        foreach (var method in expected.Split(' '))
        {
            if (tried.Count > 0) request = await server.ReceiveAsync(MessageNumber.AuthRequest);
            tried.Add(Request(request).Method);
            // Not a refusal of the password as such.
            await server.SendAsync(
                ScriptedServer.Failure(
                    tried[^1] == "password" ? "publickey,keyboard-interactive" : "publickey,password,keyboard-interactive"));
        }

        Assert.That(tried, Is.EqualTo(expected.Split(' ')));
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Message, Does.Contain("the configuration restricts the methods"));
    }

    [Test]
    public async Task A_password_is_not_sent_where_the_configuration_forbids_it_and_may_answer_a_question()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { LogInRules = new LogInRules { Password = false } });
        Assert.That(Request(await server.StartLogInAsync()).Method, Is.EqualTo("keyboard-interactive"));
        await server.SendAsync(Questions(("Password: ", false)));
        Assert.That(Answers(await server.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "opensesame" }));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
    }

    [Test]
    public async Task A_code_that_nobody_can_type_is_no_failed_log_in()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.StartLogInAsync();
        await server.SendAsync(ScriptedServer.Failure("keyboard-interactive"));
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(Questions(("One-time password (OATH) for `alice': ", false)));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That((failure.Error, failure.IsTransient), Is.EqualTo((TransferError.Auth, false)));
        Assert.That(failure.Message, Does.Contain("One-time password (OATH)").And.Contain("nobody is there to answer"));
        await server.ReceiveAsync(MessageNumber.Disconnect);
    }

    [Test]
    public async Task An_application_that_gives_up_has_no_answer_sent_and_the_next_method_tried()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with
        {
            Credential = null,
            Interaction = (questions, _) => new(questions.Prompts[0].Text == "Password:" ? ["typed"] : null),
        });
        await server.StartLogInAsync();
        await server.SendAsync(Questions(("Code: ", false)));
        Assert.That(Request(await server.ReceiveAsync(MessageNumber.AuthRequest)).Method, Is.EqualTo("password"));
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;
        Assert.That(connection.HasOneTimeLogIn, Is.False);
    }

    [Test]
    public async Task What_the_first_connection_was_told_is_not_offered_is_not_tried_by_the_second()
    {
        var settings = SshHarness.Settings();
        using ScriptedServer first = new(), second = new();
        var connecting = SshHarness.ConnectAsync(first, settings);
        Assert.That(Request(await first.StartLogInAsync()).Method, Is.EqualTo("password"));
        await first.SendAsync(ScriptedServer.Failure("keyboard-interactive"));
        await first.ReceiveAsync(MessageNumber.AuthRequest);
        await first.SendAsync(Questions(("Password: ", false)));
        await first.ReceiveAsync(MessageNumber.AuthInfoResponse);
        await first.SendAsync([MessageNumber.AuthSuccess]);
        await using var one = await connecting;

        var again = SshHarness.ConnectAsync(second, settings);

        Assert.That(Request(await second.StartLogInAsync()).Method, Is.EqualTo("keyboard-interactive"));
        await second.SendAsync(Questions(("Password: ", false)));
        Assert.That(Answers(await second.ReceiveAsync(MessageNumber.AuthInfoResponse)), Is.EqualTo(new[] { "opensesame" }));
        await second.SendAsync([MessageNumber.AuthSuccess]);
        await using var other = await again;
    }

    [Test]
    public async Task A_typed_password_is_asked_for_once_a_client_and_a_banner_shown_once()
    {
        var (asked, log) = (new List<string>(), new LogRecorder());
        var settings = Asking(asked, "typed") with { Logger = log };
        for (var i = 0; i < 2; i++)
        {
            using var server = new ScriptedServer();
            var connecting = SshHarness.ConnectAsync(server, settings);
            await server.StartLogInAsync();
            if (i == 0)
            {
                await server.SendAsync(Banner("Be good."), ScriptedServer.Failure("password"));
                await server.ReceiveAsync(MessageNumber.AuthRequest);
            }

            await server.SendAsync(Banner("Be good."), [MessageNumber.AuthSuccess]);
            await using var connection = await connecting;
        }

        Assert.That(asked, Is.EqualTo(new[] { "Password:" }));
        Assert.That(log.Lines.Count(line => line.Contains("Be good.")), Is.EqualTo(1));
    }

    [TestCase("Password: ", true)]
    [TestCase("(alice@host) Password for alice: ", true)]
    [TestCase("alice's Password:", true)]
    [TestCase("Mot de passe : ", true)]
    [TestCase("Пароль:", true)]
    [TestCase("Verification code: ", false)]
    [TestCase("Password & verification code: ", false)]
    [TestCase("One-time password (OATH) for `alice': ", false)]
    [TestCase("otp-md5 497 ke1234 ext, Response: ", false)]
    [TestCase("Enter PASSCODE: ", false)]
    [TestCase("New password: ", false)]
    [TestCase("Retype new password: ", false)]
    [TestCase("Password again: ", false)]
    [TestCase("Your favourite colour? ", false)]
    public void A_question_for_the_password_is_told_from_others(string text, bool isForPassword) =>
        Assert.That(PasswordPrompt.IsPasswordPrompt(text, "alice"), Is.EqualTo(isForPassword));

    [Test]
    public void The_users_name_makes_no_other_question_of_it() =>
        Assert.That(PasswordPrompt.IsPasswordPrompt("Password for token:", "token"));

    private static SshConnectionSettings Asking(List<string> asked, string answer) => SshHarness.Settings() with
    {
        Credential = null,
        Interaction = (questions, _) =>
        {
            asked.AddRange(questions.Prompts.Select(prompt => prompt.Text));
            return new([.. questions.Prompts.Select(_ => answer)]);
        },
    };

    private static byte[] Banner(string text) => ScriptedServer.Message(MessageNumber.AuthBanner, w =>
    {
        w.WriteString(text);
        w.WriteString("");
    });

    private static byte[] KeyOk(ISshSigner signer) => ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
    {
        w.WriteString(signer.PublicKey.Type);
        w.WriteString(signer.PublicKey.Blob.Span);
    });

    private static byte[] Questions(params (string Text, bool Echo)[] prompts) => ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
    {
        w.WriteString("");
        w.WriteString("");
        w.WriteString("");
        w.WriteUInt32((uint)prompts.Length);
        foreach (var (text, echo) in prompts)
        {
            w.WriteString(text);
            w.WriteBoolean(echo);
        }
    });

    private static string[] Answers(byte[] message)
    {
        var reader = new SshReader(message.AsSpan(1));
        var answers = new string[reader.ReadUInt32()];
        for (var i = 0; i < answers.Length; i++) answers[i] = reader.ReadText();
        return answers;
    }

    private static (string User, string Method, bool Signs, string More) Request(byte[] message)
    {
        var reader = new SshReader(message.AsSpan(1));
        var user = reader.ReadText();
        reader.ReadString();
        var method = reader.ReadText();
        var rest = Encoding.ASCII.GetString(reader.Rest);
        return (user, method, !reader.Rest.IsEmpty && reader.ReadBoolean(), rest);
    }

    /// <summary>A key that signs with the number 7, or not at all.</summary>
    private sealed class FixedSigner(byte seed) : ISshSigner
    {
        public bool Refuses { get; init; }

        public ReadOnlyMemory<byte> Signed { get; private set; }

        public SshPublicKey PublicKey { get; init; } = SshPublicKeys.Parse(ScriptedServer.Message(w =>
        {
            w.WriteString("ssh-ed25519");
            using var key = new Transfer.Sftp.Crypto.Ed25519PrivateKey([.. Enumerable.Repeat(seed, 32)]);
            w.WriteString(key.PublicKey);
        }));

        public string Description => $"key {seed}";

        public ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            if (Refuses) throw new TransferException(TransferError.Auth, "the agent says no");
            Signed = data.ToArray();
            return new([7]);
        }
    }
}
