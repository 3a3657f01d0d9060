using Transfer.Diagnostics;
using Transfer.Engine.Backups;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Sync;

/// <summary>
/// The check that the source is not a folder in the target, by whatever names: another name of the server, a server on this machine, a
/// mounted folder. Deletions would delete the source as an extra folder. An empty file of the target that shows above the source tells.
/// </summary>
internal static class SourceOutside
{
    /// <exception cref="TransferException">The source is in the target (<see cref="TransferError.Denied"/>).</exception>
    public static async ValueTask CheckAsync(EngineJob job, ISourceTree source, ITargetTree target, CancellationToken ct)
    {
        var name = job.NextTemporaryName();
        bool isInside;
        try
        {
            isInside = await TargetMark.AskAsync(job, target, name, () => source.ShowsAboveAsync(name, ct), ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            Log.SourceMayBeInside(job.Logger, source.PathOf(string.Empty), target.PathOf(string.Empty), e.Message);
            return;
        }
        if (isInside)
        {
            throw new TransferException(TransferError.Denied,
                $"{source.PathOf(string.Empty)} is in {target.PathOf(string.Empty)}: the deletions would delete the source.");
        }
    }
}
