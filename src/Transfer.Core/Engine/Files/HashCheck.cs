using Transfer.Contents;
using Transfer.Diagnostics;

namespace Transfer.Engine.Files;

/// <summary>Compares the hash of what was moved with that of what is at the server, which computes it, or is read back.</summary>
/// <param name="job">The job.</param>
internal sealed class HashCheck(JobContext job)
{
    /// <summary>What to hash with: what the server computes itself, as far as that is known; else what is best.</summary>
    public string Algorithm => FileHash.Choose(job.Pool.LastFeatures?.Hashes ?? []);

    /// <summary>Compares a file that was moved, and hashed on its way.</summary>
    /// <param name="item">The file. An upload is under its temporary name still: the session was not told of any other.</param>
    /// <param name="bytes">How many were moved.</param>
    /// <param name="ours">Their hash.</param>
    /// <returns>Where the other hash is from.</returns>
    /// <exception cref="TransferException">The hashes differ, or there is none to compare with.</exception>
    public async ValueTask<HashSource> CompareAsync(JobItem item, long bytes, ContentHash ours)
    {
        if (ours.End != bytes) throw Differs($"{bytes} bytes were moved, and {ours.End} hashed");
        var (theirs, source) = await HashOfAsync(item.Path, ours).ConfigureAwait(false);
        if (!string.Equals(theirs, ours.Digits, StringComparison.OrdinalIgnoreCase)) throw Differs($"{ours.Algorithm} is {ours.Digits} here and {theirs} there");
        return source;

        TransferException Differs(string how) => new(TransferError.Integrity, $"{item.File.RemotePath}: {how}.") { RemotePath = item.File.RemotePath };
    }

    private async ValueTask<(string Digits, HashSource Source)> HashOfAsync(string path, ContentHash ours)
    {
        var (computed, source) = await job.ControlAsync(
            async (session, ct) => (await session.HashAsync(path, ours.Algorithm, ct).ConfigureAwait(false), session.HashSource)).ConfigureAwait(false);
        if (computed is not null) return (computed, source);
        Log.ReadBack(job.Logger, path, ours.Algorithm);
        var read = await job.ControlAsync(async (session, ct) =>
        {
            using var back = new HashReadBack(path, ours.End, ours.Algorithm, job.Flow, job.Meter);
            return (await back.RunAsync(session, ct).ConfigureAwait(false)).Digits;
        }).ConfigureAwait(false);
        return (read, HashSource.ReadBack);
    }
}
