using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Ftp.Protocol;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>A client's settings against a scripted server, and the two brought together.</summary>
internal static class SshHarness
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    public static SshConnectionSettings Settings(LogRecorder? log = null) => new()
    {
        Host = "host.example",
        User = "alice",
        Trust = new FixedTrust(),
        Credential = new TransferCredential("alice", "opensesame"),
        Logger = log ?? new LogRecorder(),
    };

    public static Task<SshConnection> ConnectAsync(ScriptedServer server, SshConnectionSettings? settings = null,
        CancellationToken ct = default) =>
        SshConnector.ConnectAsync(server.Client, null, settings ?? Settings(), ct).AsTask().WaitAsync(Patience, CancellationToken.None);

    /// <summary>A connection that is logged in.</summary>
    public static async Task<SshConnection> ReadyAsync(ScriptedServer server, SshConnectionSettings? settings = null)
    {
        var connecting = ConnectAsync(server, settings);
        await server.LogInAsync();
        return await connecting;
    }

    /// <summary>A session channel whose request was read, and its number.</summary>
    public static async Task<(SshChannel Channel, uint Id)> OpenAsync(SshConnection connection, ScriptedServer server,
        uint window = 1 << 20, uint packet = 32768)
    {
        var opening = connection.OpenSubsystemAsync("sftp", CancellationToken.None).AsTask();
        var id = await server.ConfirmChannelAsync(window, packet);
        var channel = await opening.WaitAsync(Patience);
        await server.ReceiveAsync(MessageNumber.ChannelRequest);
        await server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, id));
        return (channel, id);
    }

    public static async Task<byte[]> ReadAsync(SshChannel channel, int count)
    {
        var result = await channel.Input.ReadAtLeastAsync(count).AsTask().WaitAsync(Patience);
        var bytes = System.Buffers.BuffersExtensions.ToArray(result.Buffer);
        channel.Input.AdvanceTo(result.Buffer.End);
        return bytes;
    }

    /// <summary>The error that the channel's next read must end with; pipes throw it at once.</summary>
    public static Task<TransferException> ReadFailureAsync(SshChannel channel) =>
        FailureOfAsync(Task.Run(async () => await channel.Input.ReadAsync()));

    /// <summary>The error that the task must end with.</summary>
    public static async Task<TransferException> FailureOfAsync(Task task)
    {
        try
        {
            await task.WaitAsync(Patience);
        }
        catch (TransferException e)
        {
            return e;
        }

        throw new AssertionException("It should have failed.");
    }

    public sealed class FixedTrust(TransferException? refusal = null, params string[] known) : IHostTrust
    {
        public int Asked { get; private set; }

        public IReadOnlyList<string> KnownTypes(string host, int port) => known;

        public ValueTask VerifyAsync(string host, int port, SshPublicKey key, CancellationToken ct)
        {
            Asked++;
            return refusal is null ? ValueTask.CompletedTask : ValueTask.FromException(refusal);
        }
    }
}
