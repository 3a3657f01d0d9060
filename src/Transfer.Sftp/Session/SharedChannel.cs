using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>A channel that returns the place on the connection when closed.</summary>
internal sealed class SharedChannel : SshChannel
{
    private readonly SshChannel _channel;
    private ISshSessions? _connection;
    private Func<ValueTask>? _release;
    private int _disposed;

    public SharedChannel(SshChannel channel)
    {
        _channel = channel;
        RoundTrip = channel.RoundTrip;
    }

    /// <summary>Assigns the channel's place on a connection.</summary>
    public SharedChannel On(ISshSessions connection, Func<ValueTask> release)
    {
        _connection = connection;
        _release = release;
        return this;
    }

    public override IReadOnlyList<ServerFact> Methods => _connection?.Methods ?? [];

    public override PipeReader Input => _channel.Input;

    public override PipeWriter Output => _channel.Output;

    public override long SendWindow => _channel.SendWindow;

    public override Task<int?> ExitStatus => _channel.ExitStatus;

    public override string ErrorText => _channel.ErrorText;

    public override string Show(string text) => _channel.Show(text);

    public override async ValueTask<SshChannel?> ExecuteBesideAsync(string command, CancellationToken ct) =>
        _connection is null ? null : await _connection.OpenCommandAsync(command, ct).ConfigureAwait(false);

    public override void Terminate() => _channel.Terminate();

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        try
        {
            await _channel.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            if (_release is not null) await _release().ConfigureAwait(false);
        }
    }
}
