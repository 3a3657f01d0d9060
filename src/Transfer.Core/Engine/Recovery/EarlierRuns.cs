using Transfer.Engine.Files;
using Transfer.Engine.Jobs;

namespace Transfer.Engine.Recovery;

/// <summary>Files at the target that earlier runs of the same job have put there, by the job's journal.</summary>
internal static class EarlierRuns
{
    /// <summary>
    /// Returns whether an earlier run has finished a file; or, where no file was to be replaced, was about to when interrupted, and the
    /// content at the target is the source's.
    /// </summary>
    /// <param name="job">The job, with the journal.</param>
    /// <param name="name">The file's name in the journal.</param>
    /// <param name="stamp">The present source.</param>
    /// <param name="there">The entry at the target; null: none.</param>
    /// <param name="overwrite">The treatment of existing files.</param>
    /// <param name="source">Opens the source at an offset; null: the source can't be read twice.</param>
    /// <param name="target">Opens the target at an offset.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask<bool> HaveFinishedAsync(
        EngineJob job, string name, SourceStamp stamp, TreeEntry? there, OverwriteMode overwrite,
        Func<long, CancellationToken, ValueTask<Stream>>? source, Func<long, CancellationToken, ValueTask<Stream>> target,
        CancellationToken ct)
    {
        if (job.Journal is not { Continues: true } journal || there is not { Type: RemoteEntryType.File, ExactLength: { } length })
            return false;
        if (journal.Owns(name, stamp, length)) return true;
        if (overwrite != OverwriteMode.Fail || source is null || !journal.MayOwn(name, stamp, length)) return false;
        return await FileEnds.AreAlikeAsync(source, target, length, ct).ConfigureAwait(false);
    }
}
