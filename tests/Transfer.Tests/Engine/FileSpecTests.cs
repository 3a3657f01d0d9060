using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Tests.Engine;

public sealed class FileSpecTests
{
    private static readonly UploadOptions Options = new()
    {
        Overwrite = OverwriteMode.Skip,
        Publish = PublishMode.Direct,
        Verify = VerificationMode.Reply,
        FlushToDisk = true
    };

    [Test]
    public void A_file_goes_by_the_callers_options_themselves()
    {
        var file = new JobFile(Of(Options), new FixedContent(1));
        Assert.That(file.Spec.Options, Is.SameAs(Options), "so that a new option is there for whoever obeys it");
        Assert.That((file.Publish, file.Verify, file.Spec.Overwrite, file.Replace),
            Is.EqualTo((PublishMode.Direct, VerificationMode.Reply, OverwriteMode.Skip, false)));
    }

    [Test]
    public void What_an_earlier_run_of_the_job_has_put_there_is_replaced() =>
        Assert.That(new JobFile(Of(Options) with { IsOwn = true }, new FixedContent(1)).Replace);

    [Test]
    public void A_segment_has_its_files_options_and_nothing_that_is_done_once_for_the_whole()
    {
        using var stop = new CancellationTokenSource();
        var spec = Of(Options) with
        {
            IsOwn = true,
            IsNew = true,
            MappedTo = "m",
            TemporaryFolder = "/tmp",
            SourceModified = Samples.Time,
            WantsTime = true,
            RoughLength = 7,
            SourceMode = UnixFileMode.UserRead,
            Folder = "/d"
        };
        var part = spec.ForSegment("/e", stop.Token);
        Assert.That(part,
            Is.EqualTo(Of(Options) with { IsOwn = true, SourceMode = UnixFileMode.UserRead, Folder = "/e", Canceled = stop.Token }));
    }

    private static FileSpec Of(UploadOptions options) => new() { Name = "f", Kind = WorkKind.Upload, RemotePath = "/f", Options = options };
}
