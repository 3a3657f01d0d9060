using Transfer.Diagnostics;
using Transfer.Engine.Jobs;
using Transfer.Engine.Recovery;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Sync;

/// <summary>
/// The proof that the two sides of a job are two folders: a local one and a server's, or those of two servers, may be the same. An empty
/// file of the target that the source does not show is the proof. Looked for once, when the first caller needs the proof.
/// </summary>
internal sealed class SidesApart(EngineJob job, ISourceTree source, ITargetTree target)
{
    private readonly Lock _gate = new();
    private Task<bool>? _proof;

    /// <summary>Returns whether the proof was found; false: not known.</summary>
    /// <exception cref="TransferException">The sides are one folder (<see cref="TransferError.Denied"/>).</exception>
    public Task<bool> ProveAsync(CancellationToken ct)
    {
        lock (_gate) return _proof ??= FindAsync(ct);
    }

    private async Task<bool> FindAsync(CancellationToken ct)
    {
        var name = job.NextTemporaryName();
        try
        {
            var looks = await TargetMark.AskAsync(
                job, target, name, () => source.LookAsync(string.Empty, [name], ct), ct).ConfigureAwait(false);
            var look = looks[0];
            if (look.IsAbsent) return true;
            if (look.Error is { } error) throw error;
        }
        catch (TransferException e)
        {
            Log.SidesNotProvedApart(job.Logger, source.PathOf(string.Empty), target.PathOf(string.Empty), e.Message);
            return false;
        }
        throw new TransferException(TransferError.Denied,
            $"{target.PathOf(string.Empty)} at the target is the source's folder {source.PathOf(string.Empty)}: no source is removed.");
    }
}
