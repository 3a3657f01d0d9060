using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>Which files of a job several sessions may move together.</summary>
/// <param name="asked">Most segments of one file under way at once; null: as many as pay.</param>
/// <param name="probe">Whether the server takes uploads in segments, of a protocol in which it cannot say so; null: it says so
/// itself.</param>
/// <param name="features">What the server can do, as the last session has found out; null: there was none.</param>
internal sealed class SegmentRules(int? asked, SegmentProbe? probe, Func<TransferFeatures?> features)
{
    /// <summary>Most segments of one file under way at once; null: as many as pay.</summary>
    public int? Asked => asked;

    /// <summary>Files can be read from anywhere, as far as that is known.</summary>
    public bool HasRanges => features() is { SegmentedDownloads: true };

    /// <summary>Several sessions may write one file together: the server says so.</summary>
    public bool SaysItWritesTogether => features() is { SegmentedUploads: true };

    /// <summary>The same, or the server was found to take it and is asked to.</summary>
    public bool WritesTogether => SaysItWritesTogether || asked > 1 && probe is { Succeeded: true };

    /// <summary>A file is worth several sessions, and the server is up to that.</summary>
    public bool CanBeDivided(JobFile file)
    {
        if (!IsWorthDividing(file) || features() is null) return false;
        // What was written in order goes on at its end.
        if (file.Kind == WorkKind.Upload) return WritesTogether && file.Publish == PublishMode.Rename && (file.Journaled?.Continuation is null || ContinuesInRanges(file));
        return HasRanges;
    }

    /// <summary>
    /// A file goes on in the ranges that are missing. Downloads always: a local file takes any range. Uploads where the server does too;
    /// else they go on in one piece, at the end of what is there.
    /// </summary>
    public bool ContinuesInRanges(JobFile file) => file is { Segment: null, Journaled.Continuation: { } continuation }
        && (file.Kind == WorkKind.Download || SaysItWritesTogether || continuation.IsDivided && WritesTogether);

    /// <summary>The probe to be run before a file is in line; null: none is needed for it.</summary>
    public SegmentProbe? ProbeFor(JobFile file) => asked is not null && file is { Kind: WorkKind.Upload, Publish: PublishMode.Rename } && IsWorthDividing(file) ? probe : null;

    private bool IsWorthDividing(JobFile file) =>
        file is { Segment: null, Undivided: false, Verify: not VerificationMode.Hash, Spec.IsWhole: true, Content: { HasRanges: true, Length: >= SegmentedFile.LeastLength } }
        && !(asked < 2);
}
