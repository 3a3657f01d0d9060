using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>Opens and closes single sessions for a pool, and never throws: what went wrong is told.</summary>
/// <param name="open">Opens one; its first argument tells what is expected to be the first work.</param>
/// <param name="isSessionLimit">Whether an opening's failure means that the server allows no further session beside the others.</param>
/// <param name="logger">Where it says what it does.</param>
/// <param name="stopping">Fires when the pool is disposed.</param>
internal sealed class SessionDoor(
    Func<Func<WorkKind?>, CancellationToken, ValueTask<TransferSession>> open, Func<TransferException, bool> isSessionLimit, ILogger logger, CancellationToken stopping)
{
    /// <summary>Is told of each file that a lost session has made for itself, and not deleted.</summary>
    public Action<string> LeftBehind { get; set; } = static _ => { };

    /// <summary>A failed opening may mean that the server allows no further session.</summary>
    public bool IsLimit(TransferException error) => isSessionLimit(error);

    /// <summary>Opens one more session: it, or why there is none, and whether that is a limit of the server.</summary>
    public async ValueTask<(TransferSession? Session, Exception? Error, bool Refused)> TryOpenAsync(Func<WorkKind?> expected)
    {
        try
        {
            try
            {
                return (await open(expected, stopping).ConfigureAwait(false), null, false);
            }
            catch (TransferException e)
            {
                return (null, e, IsLimit(e));
            }
        }
        catch (OperationCanceledException e) when (!stopping.IsCancellationRequested)
        {
            // Nobody whom a waiter knows has cancelled anything.
            return (null, new TransferConnectionException(TransferError.Lost, "Opening a session was broken off.", e), false);
        }
        catch (Exception e)
        {
            return (null, e, false);
        }
    }

    /// <summary>Closes a session. Whoever gives one back is not to blame for how it ends.</summary>
    public async Task CloseAsync(TransferSession session)
    {
        try
        {
            await session.DisposeAsync().ConfigureAwait(false);
            Log.SessionClosed(logger);
        }
        catch (Exception e)
        {
            Log.CloseFailed(logger, e);
        }
        foreach (var path in session.OwnFiles) LeftBehind(path);
    }
}
