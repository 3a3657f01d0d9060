using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>Decides which files of a job several sessions may move together.</summary>
/// <param name="asked">The most segments of one file under way at once; null: as many as pay.</param>
/// <param name="probe">The test of uploads in segments, in a protocol that cannot announce them; null: the server announces
/// them.</param>
/// <param name="features">The abilities of the server that the last session found; null: there was no session.</param>
internal sealed class SegmentRules(int? asked, SegmentProbe? probe, Func<TransferFeatures?> features)
{
    private volatile bool _isRefused;

    /// <summary>The most segments of one file under way at once; null: as many as pay.</summary>
    public int? MostSegments => asked;

    /// <summary>Whether files can be read from any offset, as far as known.</summary>
    public bool HasRanges => features() is { SegmentedDownloads: true };

    /// <summary>Whether the server announces that several sessions may write one file together.</summary>
    public bool AnnouncesSharedWrites => features() is { SegmentedUploads: true };

    /// <summary>Whether the server announces that, or has passed the test where the options want segments.</summary>
    public bool AllowsSharedWrites => AnnouncesSharedWrites || asked > 1 && probe is { Succeeded: true };

    /// <summary>Divides no file of the job any more: the server has refused offsets.</summary>
    public void EndDivisions() => _isRefused = true;

    /// <summary>Returns whether a file is worth several sessions, and the server can handle that.</summary>
    public bool CanBeDivided(JobFile file)
    {
        if (_isRefused || !IsWorthDividing(file) || features() is null) return false;
        // A partial file that was written in order goes on at the end.
        if (file.Kind == WorkKind.Upload)
        {
            return AllowsSharedWrites && file.Publish == PublishMode.Rename
                && (file.Journaled?.Continuation is null || ContinuesInRanges(file));
        }

        return HasRanges;
    }

    /// <summary>
    /// Returns whether a file goes on in the missing ranges. Downloads always: a local file takes any range. Uploads where the server does
    /// too; else an upload goes on in one piece, at the end of the partial file.
    /// </summary>
    public bool ContinuesInRanges(JobFile file) => file is { Segment: null, Journaled.Continuation: { } continuation }
        && (file.Kind == WorkKind.Download || AnnouncesSharedWrites || continuation.IsDivided && AllowsSharedWrites);

    /// <summary>Returns the test to run before a file is in line; null when none is needed.</summary>
    public SegmentProbe? ProbeFor(JobFile file) =>
        asked is not null && file is { Kind: WorkKind.Upload, Publish: PublishMode.Rename } && IsWorthDividing(file) ? probe : null;

    private bool IsWorthDividing(JobFile file) =>
        file is
        {
            Segment: null, MustStayWhole: false, Verify: not VerificationMode.Hash, Spec.IsWhole: true,
            Content: { HasRanges: true, Length: >= SegmentedFile.LeastLength }
        }
        && !(asked < 2);
}
