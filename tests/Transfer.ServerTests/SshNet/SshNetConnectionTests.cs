using Renci.SshNet;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;
using Transfer.SshNet;
using Shell = Transfer.ServerTests.Servers.Shell;

namespace Transfer.ServerTests.SshNet;

/// <summary>Connections that the application makes: host keys, log-ins, and what their loss becomes.</summary>
[TestFixture]
[Parallelizable]
public sealed class SshNetConnectionTests() : ServerFixture(ServerKind.SshNet, ServerVariant.Sftp)
{
    private SshNetServer Ssh => (SshNetServer)Server;

    [Test]
    public async Task A_changed_host_key_is_refused_and_both_fingerprints_are_told_whoever_makes_the_connection([Values] bool byClient)
    {
        var known = Path.Combine(Scratch, "known_hosts");
        File.WriteAllText(known, Ssh.KnownHostLine(SshKeys.Stranger) + "\n");
        var options = Ssh.Options() with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] } };
        await using var client = byClient ? new SshNetTransferClient(() => new SftpClient(Ssh.Connection()), options: options)
            : new SshNetTransferClient(() => Ssh.Connection(), options: options);

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey), error.ToString());
        Assert.That(error.Message, Does.Contain(Fingerprint(SshKeys.Stranger)).And.Contain(Fingerprint(SshKeys.Host("ed25519"))));
        Assert.That(Log, Does.Not.Contain("Accepted password"));
    }

    [Test]
    public async Task Without_options_a_connection_is_checked_against_known_hosts()
    {
        await using var client = new SshNetTransferClient(() => Ssh.Connection());

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey), error.ToString());
        Assert.That(error.Message, Does.Contain("is not known"));
    }

    [TestCase("ecdsa-256")]
    [TestCase("rsa-2048")]
    public async Task A_key_of_a_kind_that_the_server_would_not_have_shown_first_is_asked_for_where_it_is_the_known_one(string kind)
    {
        var known = Path.Combine(Scratch, "known_hosts");
        File.WriteAllText(known, Ssh.KnownHostLine(SshKeys.Host(kind)) + "\n");
        await using var client = new SshNetTransferClient(() =>
            Ssh.Connection(), options: Ssh.Options() with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] } });

        await client.ConnectAsync();
    }

    [Test]
    public async Task A_handler_of_the_application_that_refuses_the_host_key_is_obeyed()
    {
        await using var client = new SshNetTransferClient(() =>
        {
            var made = new SftpClient(Ssh.Connection());
            made.HostKeyReceived += (_, e) => e.CanTrust = false;
            return made;
        });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey), error.ToString());
        Assert.That(error.Message, Does.Contain("application"));
    }

    [Test]
    public async Task A_client_of_the_application_with_a_pin_and_a_key_works_and_has_what_was_tuned()
    {
        var clients = new List<SftpClient>();
        await using (var client = new SshNetTransferClient(Make, Remote))
        {
            await client.UploadFileAsync(LocalFile("a", Bytes.Random(100_000)), "a");
            Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/a")), Bytes.Random(100_000));
            Assert.That(clients.Select(made => (made.BufferSize, made.KeepAliveInterval)),
                Is.EqualTo(new[] { (1u << 20, TimeSpan.FromSeconds(30)) }));
        }
        Assert.That(() => clients[0].IsConnected, Throws.InstanceOf<ObjectDisposedException>(), "the session owned it");

        SftpClient Make()
        {
            var made = new SftpClient("localhost", Server.Port, SshKeys.User, new PrivateKeyFile(SshKeys.PlainUser("ed25519")));
            made.HostKeyReceived += (_, e) => e.CanTrust = "SHA256:" + e.FingerPrintSHA256 == Fingerprint(SshKeys.Host("ed25519"));
            clients.Add(made);
            return made;
        }
    }

    [Test]
    public async Task A_session_that_stands_still_ends_after_the_idle_time_and_another_one_goes_on()
    {
        await using var client = Client(options =>
            options with { IdleTimeout = TimeSpan.FromSeconds(2), Retry = new RetryOptions { Attempts = 1 } });
        await client.ConnectAsync();
        Server.FreezeOne();

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.CreateDirectoryAsync(Remote + "/a")))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout), error.ToString());
        await client.CreateDirectoryAsync(Remote + "/b");
        Assert.That(RemoteNames(), Does.Contain("b"));
    }

    [Test]
    public async Task An_upload_that_is_cancelled_ends_at_once_and_leaves_nothing()
    {
        await using var client = Client();
        await using var source = new GatedStream(8 << 20, before: 1 << 20);
        using var cancel = new CancellationTokenSource();
        var upload = client.UploadAsync(source, Remote + "/file", cancellationToken: cancel.Token);
        await source.Reached.WaitAsync(TimeSpan.FromSeconds(20));

        await cancel.CancelAsync();

        Assert.That(async () => await upload, Throws.InstanceOf<OperationCanceledException>());
        Assert.That(RemoteNames(), Is.Empty);
    }

    [Test]
    public async Task Room_on_the_disk_is_what_the_system_says()
    {
        await using var client = Client();

        var room = await client.GetSpaceAsync(Remote);

        Assert.That(room?.Available, Is.EqualTo(new DriveInfo(Server.Local(Remote)).AvailableFreeSpace).Within(1L << 30));
    }

    private static string Fingerprint(string keyFile) => Shell.Run(ServerFiles.SshKeygen, "-l", "-f", keyFile + ".pub").Split(' ')[1];
}
