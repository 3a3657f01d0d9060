using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>Which files several sessions may move together, without any.</summary>
public sealed class SegmentRulesTests
{
    private const long Length = SegmentedFile.LeastLength;
    private static readonly TransferFeatures Both = new() { SegmentedDownloads = true, SegmentedUploads = true };
    private static readonly TransferFeatures None = new();

    [TestCase(WorkKind.Download)]
    [TestCase(WorkKind.Upload)]
    public void A_large_file_is_divided_where_the_server_has_ranges_and_no_other(WorkKind kind)
    {
        var file = File(kind);
        Assert.That((CanBeDivided(file, Both), CanBeDivided(file, None), CanBeDivided(file, null)), Is.EqualTo((true, false, false)));
        Assert.That(CanBeDivided(File(kind, length: Length - 1), Both), Is.False, "it is too short");
        Assert.That(CanBeDivided(File(kind, hasRanges: false), Both), Is.False, "its content comes in order");
    }

    [Test]
    public void A_file_is_not_divided_of_which_one_segment_was_asked_for_or_a_hash_or_a_part()
    {
        Assert.That(CanBeDivided(File(WorkKind.Download), Both, asked: 1), Is.False);
        Assert.That(CanBeDivided(File(WorkKind.Download, new DownloadOptions { Verify = VerificationMode.Hash }), Both), Is.False);
        Assert.That(CanBeDivided(new JobFile(File(WorkKind.Download).Spec with { Offset = 1 }, new Ranges(Length, true)), Both), Is.False);
        var failed = File(WorkKind.Download);
        failed.MustStayWhole = true;
        Assert.That(CanBeDivided(failed, Both), Is.False);
    }

    [Test]
    public void An_upload_under_its_own_name_is_not_divided_and_a_download_is()
    {
        Assert.That(CanBeDivided(File(WorkKind.Upload, new UploadOptions { Publish = PublishMode.Direct }), Both), Is.False);
        Assert.That(CanBeDivided(File(WorkKind.Download, new DownloadOptions { Publish = PublishMode.Direct }), Both));
    }

    [Test]
    public async Task The_probe_is_for_uploads_whose_segments_were_asked_for_and_that_would_be_divided()
    {
        await using var engine = new ClientEngine(new Uri("memory://host/"), new(), () => 1,
            (_, _) => new(new MemorySession(new MemoryStore())), _ => false);
        var (asked, unasked) = (new SegmentRules(2, engine.Probe, () => None), new SegmentRules(null, engine.Probe, () => None));
        var (upload, download, small) = (File(WorkKind.Upload), File(WorkKind.Download), File(WorkKind.Upload, length: 1));
        Assert.That((asked.ProbeFor(upload), unasked.ProbeFor(upload), asked.ProbeFor(download), asked.ProbeFor(small)),
            Is.EqualTo((engine.Probe, (SegmentProbe?)null, (SegmentProbe?)null, (SegmentProbe?)null)));
        Assert.That((asked.AllowsSharedWrites, asked.AnnouncesSharedWrites, asked.CanBeDivided(upload)), Is.EqualTo((false, false, false)),
            "nothing was tried");
    }

    private static bool CanBeDivided(JobFile file, TransferFeatures? features, int? asked = null) =>
        new SegmentRules(asked, null, () => features).CanBeDivided(file);

    private static JobFile File(WorkKind kind, TransferOptions? options = null, long length = Length, bool hasRanges = true) =>
        new(new FileSpec { Name = "f", Kind = kind, RemotePath = "/f", Options = options ?? new UploadOptions() },
            new Ranges(length, hasRanges));

    private sealed class Ranges(long length, bool hasRanges) : EngineContent
    {
        public override long? Length => length;

        public override bool CanReplay => true;

        public override bool HasRanges => hasRanges;
    }
}
