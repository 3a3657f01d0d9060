using System.Net;
using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Embedded SFTP servers and clients of them.</summary>
internal static class SftpServerHarness
{
    private static int _addresses;

    /// <summary>A server with an address of its own: what clients learn of a host is kept for the process.</summary>
    public static Task<SftpTestServer> StartAsync(SftpTestServerOptions? options = null)
    {
        options ??= new SftpTestServerOptions();
        if (OperatingSystem.IsMacOS()) return SftpTestServer.StartAsync(options);
        var number = Interlocked.Increment(ref _addresses);
        var address = new IPAddress(new byte[] { 127, 78, (byte)(1 + (number / 250)), (byte)(1 + (number % 250)) });
        return SftpTestServer.StartAsync(options with { Address = address });
    }

    /// <summary>A client of one session that pins the server's key and logs in with the password; the server outlives it.</summary>
    public static SftpTransferClient Client(this SftpTestServer server, Func<SftpOptions, SftpOptions>? change = null)
    {
        var options = new SftpOptions
        {
            Credential = new TransferCredential("demo", "demo"),
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint], KnownHostsFiles = [] },
            Agent = new SshAgentOptions { Use = SshAgentUse.Never },
            Retry = Samples.SoonAgain,
            MaxSessions = 1,
            IdleTimeout = TimeSpan.FromSeconds(20),
        };
        return new SftpTransferClient(server.Uri, change is null ? options : change(options));
    }

    /// <summary>Logs in and out again.</summary>
    public static async Task LogInAsync(this SftpTestServer server, Func<SftpOptions, SftpOptions>? change = null)
    {
        await using var client = server.Client(change);
        await client.PingAsync();
    }

    /// <summary>The error that the work must end with.</summary>
    public static async Task<TransferException> FailsAsync(Func<Task> work) =>
        (await Assert.CatchAsync<TransferException>(() => work().WaitAsync(TimeSpan.FromSeconds(50))))!;

    public static async Task PutAsync(this TransferClient client, string path, byte[] content, UploadOptions? options = null)
    {
        using var stream = new MemoryStream(content);
        await client.UploadAsync(stream, path, options ?? new UploadOptions { Overwrite = OverwriteMode.Always });
    }

    public static async Task<byte[]> GetAsync(this TransferClient client, string path)
    {
        using var stream = new MemoryStream();
        await client.DownloadAsync(path, stream);
        return stream.ToArray();
    }

    public static byte[] Content(int length, int seed = 1)
    {
        var bytes = new byte[length];
        SyntheticContent.Fill(bytes, 0, seed);
        return bytes;
    }

    /// <summary>What the clients asked for: the requests' names, without the log-in.</summary>
    public static IEnumerable<string> Requests(this SftpTestServer server) =>
        server.Commands.Where(command => !command.Verb.StartsWith('(') && command.Verb is not "SUBSYSTEM").Select(command => command.Verb);
}
