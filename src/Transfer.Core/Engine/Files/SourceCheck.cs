using Transfer.Engine.Segments;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Whether what several sessions have read was one file: each opened it for itself, and one that was replaced in between must not be put
/// together from old and new.
/// </summary>
/// <param name="job">The job.</param>
/// <param name="look">Looks at the file.</param>
internal sealed class SourceCheck(JobContext job, RemoteLook look)
{
    /// <summary>Compares what sessions have read the segments of.</summary>
    /// <param name="path">The file.</param>
    /// <param name="length">How long it was, and</param>
    /// <param name="modified">of what time, when it was looked at.</param>
    /// <param name="sources">What the sessions told of what they read; where one did not the file is looked at now.</param>
    /// <exception cref="TransferException">It has changed, or is gone.</exception>
    public async ValueTask<VerificationMode> CompareAsync(string path, long length, DateTimeOffset? modified, List<FileStamp?> sources)
    {
        if (sources.Contains(null))
        {
            var now = await job.ControlAsync((session, ct) => session.GetEntryAsync(path, ct)).ConfigureAwait(false);
            sources = now is null ? [] : [new FileStamp(now.Length, now.Modified)];
        }
        var step = job.Pool.LastFeatures?.TimePrecision ?? TimeSpan.FromMinutes(1);
        // A listing of minutes, or days, on a clock of an unknown zone says nothing about the exact times: those are compared with each
        // other.
        var expected = ListedTime.IsCoarse(step) ? sources.Select(source => source?.Modified).FirstOrDefault(time => time is not null) : modified;
        if (sources.Count > 0 && sources.TrueForAll(source => IsSame(source!.Value)))
            return sources.Exists(source => source!.Value.Length is null) ? VerificationMode.Reply : VerificationMode.Size;
        throw new TransferException(TransferError.Integrity, $"{path} changed while it was read.") { RemotePath = path };

        bool IsSame(FileStamp source) => (source.Length ?? length) == length
            && !(expected is { } before && source.Modified is { } after && (before - after).Duration() >= step);
    }

    /// <summary>
    /// Compares what came before sessions that were lost: where another has gone on, the source may have become another of the same
    /// length and time in between.
    /// </summary>
    /// <exception cref="TransferException">It has changed.</exception>
    public async ValueTask CompareSeamsAsync(SegmentedFile whole)
    {
        var (file, seams) = (whole.File, whole.Seams);
        foreach (var seam in seams)
        {
            var start = Math.Max(0, seam - RangeTail.MaxLength);
            if (await file.Content.ReadBackAsync(start, new byte[seam - start], job.Abort).ConfigureAwait(false) < seam - start) continue;
            if (await look.EndsAlikeAsync(file.Content.ReadBackAsync, file.RemotePath, start, seam, job.Abort).ConfigureAwait(false)) continue;
            var changed = $"{file.RemotePath} changed while it was read: what came before a session was lost is not what is there now.";
            throw new TransferException(TransferError.Integrity, changed) { RemotePath = file.RemotePath };
        }
    }
}
