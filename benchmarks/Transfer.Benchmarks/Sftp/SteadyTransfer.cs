using System.Net;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Benchmarks.Responder;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Benchmarks.Sftp;

/// <summary>
/// One file without end on its way between the client's whole stack, from the session to the socket, and a responder on loopback.
/// </summary>
internal sealed class SteadyTransfer : IAsyncDisposable
{
    private readonly MeteredContent _content = new();
    private readonly CancellationTokenSource _abort = new();
    private readonly SshResponder _responder;
    private readonly SshConnection _connection;
    private readonly SftpSession _session;
    private readonly EndlessItem _item;
    private readonly Task _running;

    private SteadyTransfer(SshResponder responder, SshConnection connection, SftpSession session, WorkKind kind)
    {
        _responder = responder;
        _connection = connection;
        _session = session;
        _item = new EndlessItem(kind, _content);
        _running = session.RunAsync(_item, _abort.Token);
    }

    public static async Task<SteadyTransfer> StartAsync(WorkKind kind, string cipher, string? mac)
    {
        var responder = new SshResponder();
        var algorithms = new SshAlgorithms { Ciphers = [cipher] };
        var connection = await SshConnection.ConnectAsync(new SshConnectionSettings
        {
            Host = IPAddress.Loopback.ToString(),
            Port = responder.Port,
            User = "benchmark",
            DialHints = new DialHints { Sends = true },
            Trust = new AnyHost(),
            Algorithms = mac is null ? algorithms : algorithms with { Macs = [mac] },
            // New keys every 1 GiB are no part of the steady state, and the responder knows no rekey.
            Rekey = new RekeyLimits { Bytes = ulong.MaxValue, Packets = ulong.MaxValue, Time = TimeSpan.MaxValue },
            Logger = NullLogger.Instance,
        }, CancellationToken.None);
        var channel = await connection.OpenSubsystemAsync("sftp", CancellationToken.None);
        var session = await SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), NullLogger.Instance,
            CancellationToken.None);
        return new SteadyTransfer(responder, connection, session, kind);
    }

    public async Task MoveAsync(long bytes)
    {
        await Task.WhenAny(_content.MoveAsync(bytes).AsTask(), _item.Outcome);
        if (_item.Outcome.IsCompleted) throw new InvalidOperationException($"The transfer has ended: {await _item.Outcome}");
    }

    public async ValueTask DisposeAsync()
    {
        await _abort.CancelAsync();
        _content.Release(long.MaxValue / 2);
        // It was cancelled in the middle, and says so.
        await _running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _session.DisposeAsync();
        await _connection.DisposeAsync();
        await _responder.DisposeAsync();
        _abort.Dispose();
    }
}
