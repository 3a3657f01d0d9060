using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>Opens and closes single sessions for a pool. Never throws: errors are returned or logged.</summary>
/// <param name="open">Opens a session; the first argument returns the kind of work expected first.</param>
/// <param name="isSessionLimit">Whether an opening's failure means that the server allows no further session beside the open ones.</param>
/// <param name="logger">The log.</param>
/// <param name="stopping">Fires when the pool is disposed.</param>
internal sealed class SessionOpener(
    Func<Func<WorkKind?>, CancellationToken, ValueTask<TransferSession>> open, Func<TransferException, bool> isSessionLimit, ILogger logger,
    CancellationToken stopping)
{
    /// <summary>Called with each file that a lost session created for its own use and did not delete.</summary>
    public Action<string> LeftoverFound { get; set; } = static _ => { };

    /// <summary>Whether a failed opening may mean that the server allows no further session.</summary>
    public bool IsLimit(TransferException error) => isSessionLimit(error);

    /// <summary>Opens one more session. Returns the session, or the error and whether that is a limit of the server.</summary>
    /// <param name="expected">Returns the kind of work expected first.</param>
    /// <param name="mark">Goes with the opening through the provider's code.</param>
    public async ValueTask<(TransferSession? Session, Exception? Error, bool Refused)> TryOpenAsync(Func<WorkKind?> expected,
        OpeningMark mark)
    {
        OpeningMark.Current = mark;
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
            // No waiter has cancelled anything.
            return (null, new TransferConnectionException(TransferError.Lost, "Opening a session was broken off.", e), false);
        }
        catch (Exception e)
        {
            return (null, e, false);
        }
    }

    /// <summary>Closes a session. The holder of the lease is not to blame for errors here.</summary>
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
        foreach (var path in session.OwnFiles) LeftoverFound(path);
    }
}
