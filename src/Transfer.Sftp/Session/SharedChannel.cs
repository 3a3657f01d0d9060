using System.IO.Pipelines;
using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Session;

/// <summary>A channel that gives its place on the connection back when it is closed.</summary>
internal sealed class SharedChannel : SshChannel
{
    private readonly SshChannel _channel;
    private readonly ISshSessions _connection;
    private readonly Func<ValueTask> _release;
    private int _disposed;

    public SharedChannel(SshChannel channel, ISshSessions connection, Func<ValueTask> release)
    {
        _channel = channel;
        _connection = connection;
        _release = release;
        RoundTrip = channel.RoundTrip;
    }

    public override PipeReader Input => _channel.Input;

    public override PipeWriter Output => _channel.Output;

    public override long SendWindow => _channel.SendWindow;

    public override Task<int?> ExitStatus => _channel.ExitStatus;

    public override string ErrorText => _channel.ErrorText;

    public override async ValueTask<SshChannel?> ExecuteBesideAsync(string command, CancellationToken ct) =>
        await _connection.OpenCommandAsync(command, ct).ConfigureAwait(false);

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        try
        {
            await _channel.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            await _release().ConfigureAwait(false);
        }
    }
}
