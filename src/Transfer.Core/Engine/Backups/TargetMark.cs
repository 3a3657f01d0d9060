using Transfer.Engine.Cleaning;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Backups;

/// <summary>
/// An empty file at the target for the time of one question, which no listing answers without: the target's clock, or whether two folders
/// are one. The name is a temporary one of the job, so that a mark that stays is removed as other leftovers are.
/// </summary>
internal static class TargetMark
{
    /// <summary>Creates the mark, asks, and removes the mark.</summary>
    /// <param name="job">The job.</param>
    /// <param name="target">The folder to fill.</param>
    /// <param name="path">The path of the mark relative to the folder.</param>
    /// <param name="ask">Asks while the mark exists.</param>
    /// <param name="ct">Cancels the creation.</param>
    /// <exception cref="TransferException">The mark cannot be created.</exception>
    public static async ValueTask<T> AskAsync<T>(
        EngineJob job, ITargetTree target, string path, Func<ValueTask<T>> ask, CancellationToken ct)
    {
        await target.CreateFileAsync(path, ct).ConfigureAwait(false);
        try
        {
            return await ask().ConfigureAwait(false);
        }
        finally
        {
            string[] paths = [path];
            Leftovers.Gone(paths, await target.DeleteFilesAsync(paths, CancellationToken.None).ConfigureAwait(false), job.Logger);
        }
    }
}
