using System.Net;
using System.Net.Sockets;
using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>How a host's keys are read without a log-in.</summary>
internal sealed class HostKeyReadingTests
{
    private static readonly SftpOptions Impatient = new() { LogInTimeout = TimeSpan.FromMilliseconds(300) };

    [Test]
    public async Task Each_key_that_the_host_has_is_read_once_and_nothing_is_logged_in_to()
    {
        using var rsa = SftpTestKey.Create(SftpTestKeyType.Rsa);
        using var ecdsa = SftpTestKey.Create(SftpTestKeyType.Ecdsa);
        using var ed25519 = SftpTestKey.Create();
        await using var server = await SftpServerHarness.StartAsync(new() { HostKeys = [rsa, ecdsa, ed25519] });
        var keys = await ReadAsync(server.EndPoint);
        using (Assert.EnterMultipleScope())
        {
            (string, int)[] kinds = [("ssh-ed25519", 256), ("ecdsa-sha2-nistp256", 256), ("ssh-rsa", 2048)];
            Assert.That(keys.Select(key => (key.Type, key.Bits)), Is.EqualTo(kinds));
            var expected = new[] { ed25519, ecdsa, rsa }.Select(key => (key.Fingerprint, key.PublicKey));
            Assert.That(keys.Select(key => (key.Fingerprint, key.PublicKey)), Is.EqualTo(expected));
            var lines = server.KnownHosts.Split('\n', StringSplitOptions.RemoveEmptyEntries);
            Assert.That(keys.Select(key => key.KnownHostsLine), Is.EquivalentTo(lines));
            Assert.That(server.Commands, Is.Empty);
            Assert.That(server.TotalConnections, Is.EqualTo(5), "One for each type of key.");
        }
    }

    [Test]
    public async Task A_key_that_was_read_is_a_pin()
    {
        await using var server = await SftpServerHarness.StartAsync();
        var pins = (await ReadAsync(server.EndPoint)).Select(key => key.Fingerprint).ToList();
        await server.LogInAsync(options => options with { HostKeys = options.HostKeys with { Pins = pins } });
    }

    [Test]
    public async Task Only_the_types_of_the_options_are_asked_for()
    {
        using var ecdsa = SftpTestKey.Create(SftpTestKeyType.Ecdsa);
        using var ed25519 = SftpTestKey.Create();
        await using var server = await SftpServerHarness.StartAsync(new() { HostKeys = [ed25519, ecdsa] });
        var keys = await ReadAsync(server.EndPoint, Only("rsa-sha2-512", "rsa-sha2-256", "ecdsa-sha2-nistp256"));
        Assert.That(keys.Select(key => key.Fingerprint), Is.EqualTo(new[] { ecdsa.Fingerprint }));
        Assert.That(server.TotalConnections, Is.EqualTo(2));
    }

    [Test]
    public async Task A_host_without_a_key_that_is_understood_is_said_to_have_none()
    {
        await using var server = await SftpServerHarness.StartAsync();
        var error = await SftpServerHarness.FailsAsync(() => ReadAsync(server.EndPoint, Only("rsa-sha2-512")));
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(error.Message, Does.Contain("host key").And.Contain("ssh-ed25519"));
    }

    [Test]
    public async Task A_host_that_says_nothing_is_given_up()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var error = await SftpServerHarness.FailsAsync(() => ReadAsync((IPEndPoint)listener.LocalEndpoint, Impatient));
        Assert.That(error, Is.InstanceOf<TransferConnectionException>());
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task A_host_whose_greeting_does_not_end_is_given_up()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var serving = ServeAsync();
        var error = await SftpServerHarness.FailsAsync(() => ReadAsync((IPEndPoint)listener.LocalEndpoint, Only("ssh-ed25519")));
        Assert.That(error.Error, Is.EqualTo(TransferError.Protocol));
        await serving;

        async Task ServeAsync()
        {
            using var client = await listener.AcceptTcpClientAsync();
            try
            {
                while (true) await client.GetStream().WriteAsync(new byte[4096]);
            }
            catch (IOException)
            {
                // The reader has had enough.
            }
        }
    }

    [Test]
    public async Task A_caller_may_cancel()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var stop = new CancellationTokenSource();
        var reading = ReadAsync((IPEndPoint)listener.LocalEndpoint, ct: stop.Token);
        await stop.CancelAsync();
        var error = await Assert.CatchAsync<OperationCanceledException>(() => reading.WaitAsync(TimeSpan.FromSeconds(50)));
        Assert.That(error!.CancellationToken, Is.EqualTo(stop.Token));
    }

    [TestCase("host other")]
    [TestCase("host,other")]
    [TestCase("host\nother ssh-ed25519 AAAA")]
    public void A_name_that_would_mean_something_in_known_hosts_is_refused(string host) =>
        Assert.That(() => SshHostKeys.ReadAsync(host), Throws.ArgumentException);

    private static SftpOptions Only(params string[] hostKeys) => new() { Algorithms = new() { HostKeys = hostKeys } };

    private static Task<IReadOnlyList<SshHostKey>> ReadAsync(
        IPEndPoint host, SftpOptions? options = null, CancellationToken ct = default) =>
        SshHostKeys.ReadAsync(host.Address.ToString(), host.Port, options, ct);
}
