using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine.Jobs;

/// <summary>
/// Checks whether a partial file of an earlier run can be continued: the same source, the bytes there, and the expected ends of the ranges.
/// </summary>
internal static class PartialCheck
{
    /// <summary>Returns where to go on; null: the file begins anew.</summary>
    public static async ValueTask<Continuation?> RunAsync(EngineJob job, ClientEngine engine, JobFile file, PartialFile partial)
    {
        var length = partial.Stamp.Length;
        var (arrived, why) = await LookAsync(job, engine, file, partial).ConfigureAwait(false);
        if (why is not null || arrived.Count == 0)
        {
            Log.NotContinued(job.Logger, file.Name, why ?? "nothing of it had arrived");
            return null;
        }
        var continuation = Continuation.Of(partial.Temporary, arrived, length) with { IsDivided = partial.IsDivided, IsCompared = true };
        Log.Continuing(job.Logger, file.Name, continuation.ArrivedBytes(length), length);
        return continuation;
    }

    private static async ValueTask<(ByteRanges Arrived, string? Why)> LookAsync(EngineJob job, ClientEngine engine, JobFile file,
        PartialFile partial)
    {
        var none = new ByteRanges();
        if (file.Journaled is not { MayContinue: true } journaled || file.Publish != PublishMode.Rename)
            return (none, "it cannot be continued");
        if (journaled.Stamp != partial.Stamp) return (none, "its source has changed");
        var features = await job.Dispatcher.ControlAsync(static (session, _) => ValueTask.FromResult(session.Features), retry: true,
            job.Abort).ConfigureAwait(false);
        if (!(file.Kind == WorkKind.Download
            ? features.SegmentedDownloads || features.ContinuedDownloads
            : features.SegmentedUploads || (partial.IsDivided ? job.Dispatcher.WritesTogether : features.ContinuedUploads)))
        {
            return (none, "the server has whole files only");
        }

        try
        {
            return file.Kind == WorkKind.Download
                ? await LookHereAsync(job, file, partial).ConfigureAwait(false)
                : await LookThereAsync(job, engine, file, partial).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException and not TransferConnectionException || LocalErrors.IsLocal(e))
        {
            return (none, e.Message);
        }
    }

    // The source may have been replaced within the second by another of the same length.
    private static async ValueTask<(ByteRanges Arrived, string? Why)> LookHereAsync(
        EngineJob job, JobFile file, PartialFile partial)
    {
        var (arrived, why) = await Task.Run(() => LookHere(partial), job.Abort).ConfigureAwait(false);
        foreach (var (start, end) in arrived.All)
        {
            if (!await job.Dispatcher.EndsAlikeAsync(ReadHereAsync, file.RemotePath, start, end, job.Abort).ConfigureAwait(false))
                return (new ByteRanges(), "the partial file is not of the present source");
        }
        return (arrived, null);

        async ValueTask<int> ReadHereAsync(long offset, Memory<byte> buffer, CancellationToken ct)
        {
            await Task.Run(() => ReadHere(partial.Temporary, offset, buffer.Span), ct).ConfigureAwait(false);
            return buffer.Length;
        }
    }

    private static void ReadHere(string path, long offset, Span<byte> buffer)
    {
        using var file = DiskFiles.OpenStream(path, FileMode.Open, FileAccess.Read);
        file.Position = offset;
        file.ReadExactly(buffer);
    }

    private static (ByteRanges Arrived, string? Why) LookHere(PartialFile partial)
    {
        var arrived = new ByteRanges();
        if (FileStatus.Find(partial.Temporary, follow: false) is not { IsRegular: true }) return (arrived, "its beginning is gone");
        using var file = LockedFile.Open(partial.Temporary, FileMode.Open, FileAccess.Read);
        foreach (var range in Latest(partial))
        {
            if (range.Tail.AsSpan().SequenceEqual(RangeTail.Hash(file.Handle, range.Start, range.End, partial.Temporary)))
                arrived.Add(range.Start, range.End);
        }
        return (arrived, null);
    }

    private static async ValueTask<(ByteRanges Arrived, string? Why)> LookThereAsync(EngineJob job, ClientEngine engine, JobFile file,
        PartialFile partial)
    {
        var arrived = new ByteRanges();
        var there = await job.Dispatcher.ControlAsync((session, ct) => session.GetEntryAsync(partial.Temporary, ct), retry: true,
            job.Abort).ConfigureAwait(false);
        if (there?.Length is not { } length || length > partial.Stamp.Length) return (arrived, "its beginning is gone");
        var says = engine.Pool.LastFeatures is { SegmentedUploads: true };
        if (!says && !partial.IsDivided)
        {
            // One session wrote the file in order: all bytes there are the beginning.
            if (length > 0) arrived.Add(0, length);
        }
        else
        {
            foreach (var range in Latest(partial))
            {
                if (range.End <= length) arrived.Add(range.Start, range.End);
            }
            // A session that wrote the first bytes again would truncate the rest.
            if (!says && arrived.All is not [(0, _), ..]) return (new ByteRanges(), "its first bytes are missing");
        }
        try
        {
            foreach (var (start, end) in arrived.All)
            {
                if (!await job.Dispatcher.EndsAlikeAsync(file.Content.ReadBackAsync, partial.Temporary, start, end,
                    job.Abort).ConfigureAwait(false))
                {
                    return (new ByteRanges(), "the bytes stored are not the bytes sent");
                }
            }
            return (arrived, null);
        }
        finally
        {
            await file.Content.ResetAsync().ConfigureAwait(false);
        }
    }

    // The journal records a growing range again and again: only the longest counts.
    private static IEnumerable<JournalRecord.RangeArrived> Latest(PartialFile partial) =>
        partial.Ranges.Where(range => range.Start >= 0 && range.End > range.Start && range.End <= partial.Stamp.Length).GroupBy(range =>
            range.Start).Select(ranges => ranges.MaxBy(range => range.End)!);
}
