using Microsoft.Extensions.Logging;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>
/// A session opened in one flight with the connection's log-in, for the first of the callers that wait for the connection.
/// </summary>
internal sealed class EarlySession
{
    private readonly Func<SharedChannel, string, ValueTask<SftpSession>> _open;
    private readonly ILogger _logger;
    private (SharedChannel Channel, Task<SftpSession> Session)? _begun;
    private int _taken;

    public EarlySession(Func<SharedChannel, string, ValueTask<SftpSession>> open, ILogger logger)
    {
        _open = open;
        _logger = logger;
        Use = new EarlyUse("sftp", Begin);
    }

    /// <summary>The early use for the connector.</summary>
    public EarlyUse Use { get; }

    /// <summary>Whether the session's opening was sent to the server.</summary>
    public bool IsBegun => _begun is not null;

    /// <summary>Whether the session failed to open.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>
    /// Returns the session, which takes over the caller's place on the connection; null when there is none (any more), and the caller must
    /// open one.
    /// </summary>
    public async ValueTask<SftpSession?> TakeAsync(ISshSessions connection, Func<ValueTask> release, CancellationToken ct)
    {
        if (_begun is not var (channel, opening) || Interlocked.Exchange(ref _taken, 1) != 0) return null;
        try
        {
            var session = await opening.WaitAsync(ct).ConfigureAwait(false);
            channel.On(connection, release);
            Log.OpenedEarly(_logger);
            return session;
        }
        catch (TransferException e)
        {
            HasFailed = true;
            Log.NotOpenedEarly(_logger, e.Message);
            return null;
        }
        catch (OperationCanceledException)
        {
            // No other caller will take the session.
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void Begin(SshChannel channel, string server)
    {
        var shared = new SharedChannel(channel);
        var opening = _open(shared, server).AsTask();
        // After a failed log-in no caller takes the session.
        opening.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted,
            TaskScheduler.Default);
        _begun = (shared, opening);
    }
}
