using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Cleaning;
using Transfer.Journal;
using Transfer.Replacing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>What a kill between two renames leaves: the next run, of the same job or of another, puts it back.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class AsideRecoveryTests
{
    private const string Aside = "/d/a.transfer-00000000000000ff-1.old";
    private const string Unfinished = "/d/.transfer-00000000000000ff-1.part";

    private static readonly byte[] Old = FtpHarness.Content(3000, 1);
    private static readonly byte[] New = FtpHarness.Content(5000, 2);

    [TestCase(NameState.Absent, NameState.File, nameof(AsideFate.PutBack))]
    [TestCase(NameState.Absent, NameState.Absent, nameof(AsideFate.Forget))]
    [TestCase(NameState.File, NameState.File, nameof(AsideFate.Delete))]
    [TestCase(NameState.File, NameState.Absent, nameof(AsideFate.Forget))]
    [TestCase(NameState.Directory, NameState.Directory, nameof(AsideFate.Stay))]
    [TestCase(NameState.Unknown, NameState.File, nameof(AsideFate.Stay))]
    [TestCase(NameState.Absent, NameState.Unknown, nameof(AsideFate.Stay))]
    public void What_is_aside_goes_only_when_its_name_is_taken(NameState original, NameState aside, string fate) =>
        Assert.That(AsideRecovery.Decide(original, aside).ToString(), Is.EqualTo(fate));

    [Test]
    public async Task A_session_that_is_lost_between_the_two_renames_is_made_good_by_the_next()
    {
        await using var ftp = await FtpHarness.StartAsync(front: inner => new NoReplaceStore(inner));
        ftp.Store.AddFile("/d/a", Old);
        ftp.Store.AddFile("/d/b", Old);
        await ftp.PutAsync("/d/b", New);
        ftp.Server.Faults.DropConnection("RNTO", path: "/d/a");
        await ftp.PutAsync("/d/a", New);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/b" }));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task The_next_run_of_a_killed_job_tidies_up_what_its_journal_names(bool wasNamed)
    {
        await using var ftp = await FtpHarness.StartAsync();
        using var folder = new TempFolder();
        folder.Add("a", New);
        var (source, journal) = (Path.Combine(folder.Path, "a"), Path.Combine(folder.Path, "journal"));
        // Killed behind its first rename, or behind the second.
        ftp.Store.AddFile(Aside, Old);
        if (wasNamed) ftp.Store.AddFile("/d/a", New);
        using (var killed = JobJournal.Open(journal,
            JobJournal.JobOf("upload", source, ftp.Client.Endpoint.GetLeftPart(UriPartial.Authority) + "/d/a"), new TemporaryNames(),
            resume: false, namesAll: true, NullLogger.Instance))
        {
            killed.AsideBegan("/d/a", Aside);
        }

        ftp.Server.Faults.Reply("STOR", "452 full", times: 99);
        await FtpHarness.FailsAsync(
            () => ftp.Client.UploadFileAsync(source, "/d/a", new UploadOptions { Overwrite = OverwriteMode.Always, Journal = journal }));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), wasNamed ? New : Old);
    }

    [Test]
    public async Task What_has_not_its_name_is_told_by_each_run_of_the_job_until_it_is_gone()
    {
        NoReplaceStore? store = null;
        await using var ftp = await FtpHarness.StartAsync(front: inner => store = new NoReplaceStore(inner));
        using var folder = new TempFolder();
        folder.Add("s/a", New);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Journal = folder["journal"] };
        ftp.Store.AddFile("/d/a", Old);
        store!.Refuses = (_, to) => to == "/d/a";
        var failed = await ftp.Client.UploadDirectoryAsync(folder["s"], "/d", options);
        Assert.That(failed.Failed, Is.EqualTo(1));
        Assert.That(failed.Kept.Select(file => (file.Path, ftp.Store.ReadFile(file.KeptAs).Length, file.IsOld)),
            Is.EquivalentTo(new[] { ("/d/a", Old.Length, true), ("/d/a", New.Length, false) }));

        var still = await ftp.Client.UploadDirectoryAsync(folder["s"], "/d", options);
        Assert.That(still.Kept.Select(file => file.KeptAs), Is.SupersetOf(failed.Kept.Select(file => file.KeptAs)),
            "it can't be put back, nor named");
        foreach (var file in failed.Kept) Assert.That(ftp.Store.Files, Does.Contain(file.KeptAs));

        store.Refuses = (_, _) => false;
        var done = await ftp.Client.UploadDirectoryAsync(folder["s"], "/d", options);
        Assert.That((done.Files, done.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(done.Kept, Is.Not.Empty.And.All.Property(nameof(KeptFile.IsOld)).False, "the old one went back and was replaced");
        Assert.That(File.Exists(folder["journal"]), Is.True, "who else would know of it?");
        var again = await ftp.Client.UploadDirectoryAsync(folder["s"], "/d", options with { Resume = true });
        Assert.That(again.Kept, Is.EqualTo(done.Kept));

        foreach (var file in done.Kept) await ftp.Client.DeleteAsync(file.KeptAs);
        Assert.That((await ftp.Client.UploadDirectoryAsync(folder["s"], "/d", options)).Kept, Is.Empty);
        Assert.That(File.Exists(folder["journal"]), Is.False);
    }

    [Test]
    public async Task A_job_of_another_tells_what_it_finds_without_its_name_and_cannot_put_back()
    {
        NoReplaceStore? store = null;
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TimeProvider = new SwiftTime() },
            front: inner => store = new NoReplaceStore(inner));
        store!.Refuses = (_, to) => to == "/d/a";
        using var folder = new TempFolder();
        folder.Add("other", New);
        ftp.Store.AddFile(Aside, Old);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Assert.That(result.Kept, Is.EqualTo(new[] { new KeptFile("/d/a", Aside) { IsOld = true } }));
        Assert.That(ftp.Store.Files, Does.Contain(Aside));
    }

    [Test]
    public async Task Of_what_is_without_its_name_nothing_replaces_what_a_listing_does_not_name()
    {
        UnlistedStore? store = null;
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TimeProvider = new SwiftTime() },
            front: inner => store = new UnlistedStore(inner));
        store!.Unlisted.Add("/d/a");
        using var folder = new TempFolder();
        folder.Add("other", New);
        ftp.Store.AddFile("/d/a", New);
        ftp.Store.AddFile(Aside, Old);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Assert.That(result.Failed, Is.Zero);
        Assert.That((ftp.Store.ReadFile("/d/a"), ftp.Store.ReadFile(Aside)), Is.EqualTo((New, Old)));
    }

    [Test]
    public async Task A_job_of_another_puts_back_what_it_finds_without_its_name_and_deletes_nothing_of_that_run()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TimeProvider = new SwiftTime() });
        using var folder = new TempFolder();
        folder.Add("other", New);
        ftp.Store.AddFile(Aside, Old);
        ftp.Store.AddFile("/d/b", New);
        ftp.Store.AddFile("/d/b.transfer-00000000000000ff-2.old", Old);
        ftp.Store.AddFile(Unfinished, New);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Same.Bytes(ftp.Store.ReadFile("/d/b"), New);
        Assert.That(ftp.Store.Files,
            Is.EquivalentTo(new[] { "/d/a", "/d/b", "/d/b.transfer-00000000000000ff-2.old", "/d/other", Unfinished }));
    }

    [Test]
    public async Task A_replacement_that_cannot_be_undone_names_both_contents_and_is_not_tried_again([Values] bool isAlone)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.Reply("RNTO", "550 no", times: 99, path: "/d/a");
        using var folder = new TempFolder();
        var file = folder.Add("a", New);
        // The folder of a file alone is made once the file is refused.
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, CreateDirectories = true };
        var uploads = new[] { new FileUpload(file, "/d/a") }.ToAsyncEnumerable();
        var error = isAlone ? await FtpHarness.FailsAsync(() => ftp.Client.UploadFileAsync(file, "/d/a", options))
            : (await ftp.Client.UploadFilesAsync(uploads, new() { Overwrite = OverwriteMode.Always })).Failures.Single().Error!;
        Assert.That(error.Kept, Is.Not.Empty, error.ToString());
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR"), Is.EqualTo(1), () => string.Join(' ', ftp.Work));
        var contents = ftp.Store.Files.Select(ftp.Store.ReadFile).ToArray();
        Assert.That(contents.Count(content => content.AsSpan().SequenceEqual(Old)), Is.EqualTo(1));
        foreach (var kept in ftp.Store.Files) Assert.That(error.Message, Does.Contain(kept));
    }
}
