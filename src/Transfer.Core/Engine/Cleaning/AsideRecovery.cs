using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Cleaning;

/// <summary>
/// Puts asides at the target back under their names that a killed run, or a lost session, has left.
/// </summary>
internal sealed class AsideRecovery
{
    private readonly Control _control;
    private readonly ILogger _logger;

    /// <param name="control">Runs an action on a session of the target.</param>
    /// <param name="logger">The log.</param>
    public AsideRecovery(Control control, ILogger logger)
    {
        _control = control;
        _logger = logger;
    }

    /// <summary>Runs an action on a session of the target.</summary>
    public delegate ValueTask<bool> Control(Func<TransferSession, CancellationToken, ValueTask<bool>> action, CancellationToken ct);

    /// <summary>Decides the fate of a known aside.</summary>
    /// <param name="original">The state of the original name.</param>
    /// <param name="aside">The state of the aside's name.</param>
    public static AsideFate Decide(NameState original, NameState aside) => (original, aside) switch
    {
        (_, NameState.Absent) => AsideFate.Forget,
        (_, NameState.Unknown) or (NameState.Unknown, _) => AsideFate.Stay,
        (NameState.Absent, _) => AsideFate.PutBack,
        // Only complete files get a name: the replacement was all but done.
        (_, NameState.File) => AsideFate.Delete,
        _ => AsideFate.Stay,
    };

    /// <summary>
    /// Looks at each aside, and puts back those without an original. Failures go to the log, and their asides stay in the journal.
    /// </summary>
    /// <param name="asides">The original paths, and the paths of the asides.</param>
    /// <param name="names">Records the asides.</param>
    /// <param name="stays">Receives each aside without an original that could not be put back; null: not needed.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(IReadOnlyList<(string Path, string Aside)> asides, AsideNames names, Action<string, string>? stays,
        CancellationToken ct)
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
                // An aside to be deleted holds no content that is needed.
                else if (fate != AsideFate.Delete) stays?.Invoke(path, aside);
            }
            catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
            {
                Log.AsideStays(_logger, path, aside, LogReason.Of(e));
                stays?.Invoke(path, aside);
            }
        }
    }

    // IsDone: there is no aside any more.
    private async ValueTask<(AsideFate Fate, bool IsDone)> RunAsync(TransferSession session, string path, string aside,
        CancellationToken ct)
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
                if ((await session.DeleteFilesAsync([aside], ct).ConfigureAwait(
                    false))[0] is not { Error: not TransferError.NotFound } refusal)
                {
                    return (fate, true);
                }

                Log.AsideStays(_logger, path, aside, refusal.Message);
                return (fate, false);
            default:
                Log.AsideStays(_logger, path, aside, "it could not be looked at");
                return (fate, false);
        }
    }
}
