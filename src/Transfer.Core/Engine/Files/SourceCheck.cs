using Transfer.Engine.Segments;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Checks that several sessions have read the same file: each opened the file for itself, and old and new content of a file replaced in
/// between must not be put together.
/// </summary>
/// <param name="job">The job.</param>
/// <param name="look">Looks at the file.</param>
internal sealed class SourceCheck(JobContext job, RemoteLook look)
{
    /// <summary>Compares the files from which sessions have read segments.</summary>
    /// <param name="path">The file.</param>
    /// <param name="length">The length when the job looked.</param>
    /// <param name="modified">The time when the job looked.</param>
    /// <param name="sources">The stamps that the sessions reported; when one is missing the job looks again now.</param>
    /// <exception cref="TransferException">The file has changed, or is gone.</exception>
    public async ValueTask<VerificationMode> CompareAsync(string path, long length, DateTimeOffset? modified, List<FileStamp?> sources)
    {
        if (sources.Contains(null))
        {
            var now = await job.ControlAsync((session, ct) => session.GetEntryAsync(path, ct)).ConfigureAwait(false);
            sources = now is null ? [] : [new FileStamp(now.Length, now.Modified)];
        }
        var step = job.Pool.LastFeatures?.TimePrecision ?? TimeSpan.FromMinutes(1);
        // A listing with times in minutes or days, of an unknown time zone, proves nothing about the exact times: those are compared with
        // each other.
        var expected =
            ListedTime.IsCoarse(step) ? sources.Select(source => source?.Modified).FirstOrDefault(time => time is not null) : modified;
        if (sources.Count > 0 && sources.TrueForAll(source => IsSame(source!.Value)))
            return sources.Exists(source => source!.Value.Length is null) ? VerificationMode.Reply : VerificationMode.Size;
        throw new TransferException(TransferError.Integrity, $"{path} changed while it was read.") { RemotePath = path };

        bool IsSame(FileStamp source) => (source.Length ?? length) == length
            && !(expected is { } before && source.Modified is { } after && (before - after).Duration() >= step);
    }

    /// <summary>
    /// Compares the bytes received before sessions were lost: where another session has gone on, the source may have been replaced in
    /// between by one of the same length and time.
    /// </summary>
    /// <exception cref="TransferException">The source has changed.</exception>
    public async ValueTask CompareSeamsAsync(SegmentedFile whole)
    {
        var (file, seams) = (whole.File, whole.Seams);
        foreach (var seam in seams)
        {
            var start = Math.Max(0, seam - RangeTail.MaxLength);
            if (await file.Content.ReadBackAsync(start, new byte[seam - start], job.Abort).ConfigureAwait(false) < seam - start) continue;
            if (await look.EndsAlikeAsync(file.Content.ReadBackAsync, file.RemotePath, start, seam, job.Abort).ConfigureAwait(false))
                continue;
            var changed =
                $"{file.RemotePath} changed while it was read: the bytes received before a session was lost differ from the present ones.";
            throw new TransferException(TransferError.Integrity, changed) { RemotePath = file.RemotePath };
        }
    }

    /// <summary>Returns whether the bytes received before an offset are those of the present file: their last 64 KiB.</summary>
    /// <exception cref="TransferException">The file could not be read.</exception>
    public ValueTask<bool> EndsAlikeAsync(JobFile file, long end) => AreAlikeAsync(file, file.Spec.Offset, end);

    /// <summary>
    /// Returns whether the bytes received before an offset begin and end as in the present file. A file to which bytes were only appended
    /// does; of one that was replaced or rewritten meanwhile the first bytes are older than the last.
    /// </summary>
    /// <exception cref="TransferException">The file could not be read.</exception>
    public async ValueTask<bool> IsAppendedAsync(JobFile file, long end)
    {
        var start = file.Spec.Offset;
        var first = Math.Min(end, start + RangeTail.MaxLength);
        return await AreAlikeAsync(file, start, first).ConfigureAwait(false) && await AreAlikeAsync(file, first, end).ConfigureAwait(false);
    }

    private ValueTask<bool> AreAlikeAsync(JobFile file, long start, long end) =>
        look.EndsAlikeAsync(file.Content.ReadBackAsync, file.RemotePath, start, end, job.Abort);
}
