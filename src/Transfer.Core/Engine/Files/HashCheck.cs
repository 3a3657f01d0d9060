using Transfer.Contents;
using Transfer.Diagnostics;

namespace Transfer.Engine.Files;

/// <summary>Compares the hash of the bytes moved with the hash at the server, which the server computes or reading back gives.</summary>
/// <param name="job">The job.</param>
internal sealed class HashCheck(JobContext job)
{
    /// <summary>The hash algorithm: one that the server computes, as far as known; else the best.</summary>
    public string Algorithm => FileHash.Choose(job.Pool.LastFeatures?.Hashes ?? []);

    /// <summary>Compares a file that was hashed while being moved.</summary>
    /// <param name="item">The file. An upload still has the temporary name, the only one that the session knows.</param>
    /// <param name="bytes">The number of bytes moved.</param>
    /// <param name="ours">The hash of these bytes.</param>
    /// <returns>The source of the other hash.</returns>
    /// <exception cref="TransferException">The hashes differ, or there is none to compare with.</exception>
    public async ValueTask<HashSource> CompareAsync(JobItem item, long bytes, ContentHash ours)
    {
        if (ours.End != bytes) throw Differs($"{bytes} bytes were moved, and {ours.End} hashed");
        var (theirs, source) = await HashOfAsync(item.Path, ours).ConfigureAwait(false);
        if (!string.Equals(theirs, ours.Digits, StringComparison.OrdinalIgnoreCase))
            throw Differs($"{ours.Algorithm} is {ours.Digits} here and {theirs} there");
        return source;

        TransferException Differs(string how) =>
            new(TransferError.Integrity, $"{item.File.RemotePath}: {how}.") { RemotePath = item.File.RemotePath };
    }

    private async ValueTask<(string Digits, HashSource Source)> HashOfAsync(string path, ContentHash ours)
    {
        var (computed, source) = await job.ControlAsync(
            async (session, ct) => (await session.HashAsync(path, ours.Algorithm, ct).ConfigureAwait(false), session.HashSource))
            .ConfigureAwait(false);
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
