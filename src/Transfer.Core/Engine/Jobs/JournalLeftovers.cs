using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Jobs;

/// <summary>
/// Files without their final names that the journal knows of, of earlier runs and of this one: continues them, settles them or deletes
/// them.
/// </summary>
internal sealed class JournalLeftovers
{
    private readonly EngineJob _job;
    private readonly ClientEngine _engine;
    private readonly JobJournal _journal;
    private readonly Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> _delete;

    /// <param name="job">The job that has the journal.</param>
    /// <param name="engine">The engine of the job.</param>
    /// <param name="journal">The journal.</param>
    /// <param name="delete">Deletes files at the target; returns an error or null for each, in order.</param>
    public JournalLeftovers(EngineJob job, ClientEngine engine, JobJournal journal,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> delete)
    {
        _job = job;
        _engine = engine;
        _journal = journal;
        _delete = delete;
    }

    /// <summary>Settles those of earlier runs: first files without their names, then those that only take room at the target.</summary>
    public async ValueTask TidyAsync()
    {
        if (_journal.Asides is { Count: > 0 } asides) await _job.RecoverAsync(asides, _job.Abort).ConfigureAwait(false);
        if (_journal.Kept is { Count: > 0 } kept) await TellKeptAsync(kept).ConfigureAwait(false);
        if (_journal.Leftovers is { Count: > 0 } left) _journal.Forget(await DiscardAsync(left).ConfigureAwait(false));
    }

    /// <summary>Continues the part of a file that an earlier run has left, or deletes that part.</summary>
    public async ValueTask ContinueAsync(JobFile file)
    {
        if (file.Journaled is not { } journaled || _journal.TakePartial(journaled.Name) is not { } partial) return;
        journaled.Continuation = await PartialCheck.RunAsync(_job, _engine, file, partial).ConfigureAwait(false);
        if (journaled.Continuation is null && _journal.MayDelete(partial.Temporary))
            await DiscardAsync([partial.Temporary]).ConfigureAwait(false);
    }

    /// <summary>Deletes what no file has continued, when planning is complete.</summary>
    public async ValueTask DiscardAbandonedAsync()
    {
        if (_journal.Abandoned() is not { Count: > 0 } abandoned) return;
        try
        {
            await DiscardAsync(abandoned).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            foreach (var temporary in abandoned) Log.Leftover(_job.Logger, temporary, LogReason.Of(e));
        }
    }

    /// <summary>Deletes partial files at the target. Returns those that are gone then; errors of the rest go only to the log.</summary>
    public async ValueTask<IReadOnlyList<string>> DiscardAsync(IReadOnlyList<string> temporaries) =>
        Leftovers.Gone(temporaries, await _delete(temporaries, _job.Abort).ConfigureAwait(false), _job.Logger);

    // A kept file that is now absent needs no report any more.
    private async ValueTask TellKeptAsync(IReadOnlyList<(string Path, string KeptAs)> kept)
    {
        IReadOnlyList<EntryOutcome>? found = null;
        try
        {
            string[] paths = [.. kept.Select(file => file.KeptAs.TrimEnd('/'))];
            found = await _job.Dispatcher.ControlAsync((session, ct) => session.GetEntriesAsync(paths, ct), retry: true,
                _job.Abort).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.KeptUnknown(_job.Logger, kept.Count, e.Message);
        }
        for (var i = 0; i < kept.Count; i++)
        {
            var (path, keptAs) = kept[i];
            if (found?[i].IsAbsent == true)
            {
                _journal.NoteKeptGone(keptAs);
                continue;
            }
            Log.KeptFromBefore(_job.Logger, keptAs, path);
            _job.ReportKept(path, keptAs);
        }
    }
}
