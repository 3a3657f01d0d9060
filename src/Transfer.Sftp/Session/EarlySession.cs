using Microsoft.Extensions.Logging;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>A session that is opened in one flight with its connection's log-in, for whoever of those that wait for the connection comes first.</summary>
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

    /// <summary>What the connection is made with.</summary>
    public EarlyUse Use { get; }

    /// <summary>The server was asked for it.</summary>
    public bool IsBegun => _begun is not null;

    /// <summary>It did not open.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>The session, which has the caller's place on the connection from now on; null: there is none, or none any more, and one has to be opened.</summary>
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
            // Nobody else comes for it.
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void Begin(SshChannel channel, string server)
    {
        var shared = new SharedChannel(channel);
        var opening = _open(shared, server).AsTask();
        // Where the log-in fails nobody asks for it.
        opening.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        _begun = (shared, opening);
    }
}
