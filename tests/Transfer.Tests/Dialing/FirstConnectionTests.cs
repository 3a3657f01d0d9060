using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Ftp;
using Transfer.Sftp;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Dialing;

/// <summary>Servers that are not there yet when a client connects for the first time.</summary>
public sealed class FirstConnectionTests
{
    private static readonly RetryOptions Retry = new()
    {
        Attempts = 50,
        FirstDelay = TimeSpan.FromMilliseconds(20),
        MaxDelay = TimeSpan.FromMilliseconds(100),
    };

    [Test]
    public async Task A_port_that_refuses_is_tried_until_the_FTP_server_has_started()
    {
        var port = FreePort();
        var starting = new TaskCompletionSource<FtpTestServer>();
        var options = new FtpOptions
        {
            Retry = Retry,
            LoggerFactory = new LogEvents(["TakesNoConnection"],
                _ => Start(starting, () => FtpTestServer.StartAsync(new() { Port = port }))),
        };
        await using var client = new FtpTransferClient(new Uri($"ftp://demo:demo@127.0.0.1:{port}/"), options);
        await client.ConnectAsync();
        await using var server = await starting.Task;
        Assert.That(server.Commands.Count(command => command.Verb == "PASS"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_port_that_refuses_is_tried_until_the_SSH_server_has_started()
    {
        var port = FreePort();
        var starting = new TaskCompletionSource<SftpTestServer>();
        var log = new LogEvents(["TakesNoConnection"], _ => Start(starting, () => SftpTestServer.StartAsync(new() { Port = port })));
        var options = new SftpOptions
        {
            Credential = new TransferCredential("demo", "demo"),
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [], Decide = (_, _) => new(true) },
            Agent = new SshAgentOptions { Use = SshAgentUse.Never },
            Retry = Retry,
            LoggerFactory = log,
        };
        await using var client = new SftpTransferClient(new Uri($"sftp://127.0.0.1:{port}/"), options);
        await client.ConnectAsync();
        await using var server = await starting.Task;
    }

    [TestCase("ftp")]
    [TestCase("sftp")]
    public async Task A_port_that_goes_on_refusing_is_given_up_after_the_attempts_of_the_options(string scheme)
    {
        var tries = 0;
        var options = new TransferClientOptions
        {
            Retry = Retry with { Attempts = 3 },
            Credential = new TransferCredential("demo", "demo"),
            LoggerFactory = new LogEvents(["TakesNoConnection"], _ => tries++)
        };
        var endpoint = new Uri($"{scheme}://127.0.0.1:{FreePort()}/");
        await using TransferClient client = scheme == "ftp"
            ? new FtpTransferClient(endpoint, new FtpOptions(options)) : new SftpTransferClient(endpoint, new SftpOptions(options));
        var error = await Assert.CatchAsync<TransferConnectionException>(() => client.ConnectAsync().AsTask());
        Assert.That((error!.Error, tries), Is.EqualTo((TransferError.Lost, 2)));
        Assert.That(error.Message, Does.Contain("refused").IgnoreCase);
    }

    [TestCase("ftp")]
    [TestCase("sftp")]
    public async Task A_server_that_has_gone_is_dialled_by_a_call_as_often_as_the_options_say(string scheme)
    {
        using var log = new LogLines(LogLevel.Debug);
        var options = new TransferClientOptions
        {
            Retry = Retry with { Attempts = 3 },
            Credential = new TransferCredential("demo", "demo"),
            LoggerFactory = log,
        };
        await using var ftp = await FtpTestServer.StartAsync();
        await using var sftp = await SftpTestServer.StartAsync();
        await using TransferClient client = scheme == "ftp" ? new FtpTransferClient(ftp.Uri, new FtpOptions(options))
            : new SftpTransferClient(sftp.Uri, new SftpOptions(options)
            {
                HostKeys = new SshHostKeyOptions { KnownHostsFiles = [], Decide = (_, _) => new(true) },
                Agent = new SshAgentOptions { Use = SshAgentUse.Never },
            });
        await client.ConnectAsync();
        await ftp.DisposeAsync();
        await sftp.DisposeAsync();
        var error = await Assert.CatchAsync<TransferConnectionException>(() => client.GetEntryAsync("/a").AsTask());
        Assert.That((error!.Error, log.All.Count(line => line.Event == "AttemptFailed")), Is.EqualTo((TransferError.Lost, 3)));
    }

    private static void Start<T>(TaskCompletionSource<T> starting, Func<Task<T>> start)
    {
        if (!starting.Task.IsCompleted) starting.TrySetResult(start().GetAwaiter().GetResult());
    }

    private static int FreePort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
