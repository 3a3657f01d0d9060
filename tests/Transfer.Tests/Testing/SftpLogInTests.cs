using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>How an embedded SFTP server lets users in, and shows who it is.</summary>
[Category(Categories.Slow)]
internal sealed class SftpLogInTests
{
    [Test]
    public async Task A_password_logs_in_and_a_wrong_one_does_not()
    {
        await using var server = await SftpServerHarness.StartAsync(new() { Methods = SftpTestMethods.Password });
        await server.LogInAsync();
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { Credential = new TransferCredential("demo", "wrong") }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(server.Commands.Select(command => command.ToString()),
            Has.Some.EqualTo("1 (log-in) password demo").And.None.Contains("wrong"));
    }

    [Test]
    public async Task An_empty_password_takes_any()
    {
        await using var server = await SftpServerHarness.StartAsync(new() { Users = new Dictionary<string, string> { ["guest"] = "" } });
        await server.LogInAsync(options => options with { Credential = new TransferCredential("guest", "whatever") });
    }

    [Test]
    public async Task A_key_logs_in_and_an_unknown_one_does_not([Values] SftpTestKeyType type)
    {
        using var key = SftpTestKey.Create(type);
        using var other = SftpTestKey.Create(type);
        await using var server = await SftpServerHarness.StartAsync(
            new() { Methods = SftpTestMethods.PublicKey, AuthorizedKeys = [key.PublicKey + " a comment"] });
        using var identity = await SshIdentity.FromTextAsync(key.PrivateKey);
        Assert.That(identity.Fingerprint, Is.EqualTo(key.Fingerprint));
        await server.LogInAsync(options => options with { Credential = new TransferCredential("demo", ""), Identities = [identity] });

        using var stranger = await SshIdentity.FromTextAsync(other.PrivateKey);
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { Credential = new TransferCredential("demo", ""), Identities = [stranger] }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task Questions_are_asked_and_their_answers_checked()
    {
        await using var server = await SftpServerHarness.StartAsync(new()
        {
            Methods = SftpTestMethods.KeyboardInteractive,
            Questions = [new("Password: "), new("Code: ", "123456", Echo: true)],
        });
        var asked = new List<string>();
        await server.LogInAsync(options => options with { Interaction = Answer("123456") });
        Assert.That(asked, Is.EqualTo(new[] { "Code: True" }));
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { Interaction = Answer("654321") }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));

        SshInteraction Answer(string code) => (questions, _) =>
        {
            asked.AddRange(questions.Prompts.Select(prompt => $"{prompt.Text} {prompt.Echo}"));
            return ValueTask.FromResult<IReadOnlyList<string>?>([code]);
        };
    }

    [Test]
    public async Task A_log_in_may_take_every_method()
    {
        using var key = SftpTestKey.Create();
        using var identity = await SshIdentity.FromTextAsync(key.PrivateKey);
        await using var server = await SftpServerHarness.StartAsync(new()
        {
            Methods = SftpTestMethods.PublicKey | SftpTestMethods.Password,
            RequireEveryMethod = true,
            AuthorizedKeys = [key.PublicKey],
        });
        await server.LogInAsync(options => options with { Identities = [identity] });
        var error = await SftpServerHarness.FailsAsync(() => server.LogInAsync());
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task A_client_that_fails_too_often_is_sent_away()
    {
        await using var server = await SftpServerHarness.StartAsync(new() { MaxLogInAttempts = 1, Methods = SftpTestMethods.Password });
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { Credential = new TransferCredential("demo", "wrong") }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.Message, Does.Contain("Too many authentication failures"));
    }

    [Test]
    public async Task The_host_key_is_the_one_that_was_given([Values] SftpTestKeyType type)
    {
        using var key = SftpTestKey.Create(type);
        using var same = SftpTestKey.FromText(key.PrivateKey);
        await using var server = await SftpServerHarness.StartAsync(new() { HostKeys = [same] });
        Assert.That(server.Fingerprint, Is.EqualTo(key.Fingerprint));
        await server.LogInAsync();
    }

    [Test]
    public async Task A_client_that_pins_another_key_refuses_the_server()
    {
        using var other = SftpTestKey.Create();
        await using var server = await SftpServerHarness.StartAsync();
        var error = await SftpServerHarness.FailsAsync(
            () => server.LogInAsync(options => options with { HostKeys = new SshHostKeyOptions { Pins = [other.Fingerprint] } }));
        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey));
        Assert.That(server.Commands, Is.Empty, "nothing of the user was sent");
    }

    [Test]
    public async Task Known_hosts_name_the_server()
    {
        var file = Path.GetTempFileName();
        try
        {
            await using var server = await SftpServerHarness.StartAsync();
            await File.WriteAllTextAsync(file, server.KnownHosts);
            await server.LogInAsync(options => options with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [file] } });
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static readonly SshAlgorithms Built = new();

    private static IEnumerable<SshAlgorithms> EachAlgorithm() =>
    [
        .. Built.KeyExchanges.Select(name => new SshAlgorithms { KeyExchanges = [name] }),
        .. Built.Ciphers.Select(name => new SshAlgorithms { Ciphers = [name] }),
        .. Built.Macs.Select(name => new SshAlgorithms { Ciphers = ["aes128-ctr"], Macs = [name] }),
    ];

    [TestCaseSource(nameof(EachAlgorithm))]
    public async Task Every_algorithm_works_and_new_keys_too(SshAlgorithms algorithms)
    {
        var store = new MemoryStore();
        var content = SftpServerHarness.Content(300_000);
        await using var server = await SftpServerHarness.StartAsync(new()
        {
            Store = store,
            RekeyAfterBytes = 100_000,
            KeyExchanges = algorithms.KeyExchanges,
            Ciphers = algorithms.Ciphers,
            Macs = algorithms.Macs,
        });
        await using var client = server.Client(options => options with { Algorithms = algorithms });
        await client.PutAsync("/a", content);
        Same.Bytes(store.ReadFile("/a"), content);
        Same.Bytes(await client.GetAsync("/a"), content);
    }

    [Test]
    public void An_algorithm_that_is_not_built_and_a_line_that_is_no_key_are_refused()
    {
        Assert.That(() => SftpTestServer.StartAsync(new() { Ciphers = ["3des-cbc"] }),
            Throws.ArgumentException.With.Message.Contains("3des-cbc"));
        Assert.That(() => SftpTestServer.StartAsync(new() { AuthorizedKeys = ["ssh-ed25519 nothing"] }), Throws.ArgumentException);
    }
}
