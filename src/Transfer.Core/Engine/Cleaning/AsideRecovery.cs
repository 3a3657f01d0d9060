using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Cleaning;

/// <summary>
/// Puts files of the target back under their names that were moved aside and have been left so: by a run that was killed, or over a session that was lost.
/// </summary>
internal sealed class AsideRecovery
{
    private readonly Control _control;
    private readonly ILogger _logger;

    /// <param name="control">Runs something on a session of the target's.</param>
    /// <param name="logger">The log.</param>
    public AsideRecovery(Control control, ILogger logger)
    {
        _control = control;
        _logger = logger;
    }

    /// <summary>Runs something on a session of the target's.</summary>
    public delegate ValueTask<bool> Control(Func<TransferSession, CancellationToken, ValueTask<bool>> action, CancellationToken ct);

    /// <summary>What becomes of a file that is known to have been moved aside.</summary>
    /// <param name="original">What has its name now.</param>
    /// <param name="aside">What is there under the name it was given meanwhile.</param>
    public static AsideFate Decide(NameState original, NameState aside) => (original, aside) switch
    {
        (_, NameState.Absent) => AsideFate.Forget,
        (_, NameState.Unknown) or (NameState.Unknown, _) => AsideFate.Stay,
        (NameState.Absent, _) => AsideFate.PutBack,
        // Only what was whole gets a name: the replacement was all but done.
        (_, NameState.File) => AsideFate.Delete,
        _ => AsideFate.Stay,
    };

    /// <summary>Looks at each, and puts back what has no name. What can't be is told to the log, and stays known to the journal.</summary>
    /// <param name="asides">The files' paths, and those they may have meanwhile.</param>
    /// <param name="names">Remembers them.</param>
    /// <param name="stays">Gets each that has no name and could not be put back; null: nobody needs to know.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(IReadOnlyList<(string Path, string Aside)> asides, AsideNames names, Action<string, string>? stays, CancellationToken ct)
    {
        foreach (var (path, aside) in asides)
        {
            try
            {
                var fate = AsideFate.Stay;
                var isOver = await _control(async (session, token) =>
                {
                    (fate, var isDone) = await RunAsync(session, path, aside, token).ConfigureAwait(false);
                    return isDone;
                }, ct).ConfigureAwait(false);
                if (isOver) names.Ended(path, aside);
                // One that is to be deleted has nothing that is needed.
                else if (fate != AsideFate.Delete) stays?.Invoke(path, aside);
            }
            catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
            {
                Log.AsideStays(_logger, path, aside, e.Message);
                stays?.Invoke(path, aside);
            }
        }
    }

    // Done: there is nothing aside any more.
    private async ValueTask<(AsideFate Fate, bool IsDone)> RunAsync(TransferSession session, string path, string aside, CancellationToken ct)
    {
        var entries = await session.GetEntriesAsync([path, aside], ct).ConfigureAwait(false);
        var fate = Decide(NameSight.Of(entries[0]).State, NameSight.Of(entries[1]).State);
        switch (fate)
        {
            case AsideFate.Forget:
                return (fate, true);
            case AsideFate.PutBack:
                await session.RenameAsync(new Renaming(aside, path), ct).ConfigureAwait(false);
                Log.AsidePutBack(_logger, path);
                return (fate, true);
            case AsideFate.Delete:
                if ((await session.DeleteFilesAsync([aside], ct).ConfigureAwait(false))[0] is not { Error: not TransferError.NotFound } refusal) return (fate, true);
                Log.AsideStays(_logger, path, aside, refusal.Message);
                return (fate, false);
            default:
                Log.AsideStays(_logger, path, aside, "it could not be looked at");
                return (fate, false);
        }
    }
}
