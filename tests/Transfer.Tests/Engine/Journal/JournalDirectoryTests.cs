namespace Transfer.Tests.Engine.Journal;

/// <summary>The default place of journals: who decides it, and what is kept there.</summary>
public sealed class JournalDirectoryTests : MemoryFixture
{
    private string Jobs => Local["state/jobs"];

    [Test]
    public async Task Resume_alone_keeps_a_journal_in_the_default_place_and_goes_on_by_it()
    {
        for (var i = 0; i < 3; i++) Local.Add($"from/{i}", [1]);
        await using var client = new MemoryTransferClient(Store, new() { JournalDirectory = Jobs });
        Store.AddFile("/there/1", [9]);
        var options = new DirectoryOptions { Resume = true };
        Assert.That((await client.UploadDirectoryAsync(Local["from"], "/there", options).Soon()).Failed, Is.EqualTo(1));
        var journal = Directory.GetFiles(Jobs).Single();
        if (!OperatingSystem.IsWindows())
            Assert.That(File.GetUnixFileMode(Jobs), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));

        await Client.DeleteAsync("/there/1");
        var result = await client.UploadDirectoryAsync(Local["from"], "/there", options).Soon();
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((1L, 2L, 0L)), "what the first run has sent is its own");
        Assert.That(File.Exists(journal), Is.False);
    }

    [Test]
    public async Task Each_job_and_each_user_has_a_journal_of_its_own()
    {
        // One of the two files fails, so that each job is left to be continued.
        foreach (var name in (string[])["a/f", "a/g", "b/f", "b/g"]) Local.Add(name, [1]);
        Store.AddFile("/there/f/in the way", [9]);
        foreach (var user in (string[])["ann", "ben"])
        {
            await using var client = new MemoryTransferClient(Store, new() { JournalDirectory = Jobs, Credential = new(user, "secret") });
            foreach (var from in (string[])["a", "b"])
            {
                Assert.That(
                    (await client.UploadDirectoryAsync(Local[from], "/there",
                        new() { Resume = true, Overwrite = OverwriteMode.Always }).Soon()).Failed, Is.EqualTo(1));
            }
        }
        Assert.That(Directory.GetFiles(Jobs), Has.Length.EqualTo(4));
    }

    [Test]
    public async Task Without_resume_there_is_none()
    {
        Local.Add("f", [1]);
        Store.AddFile("/f", [9]);
        await using var client = new MemoryTransferClient(Store, new() { JournalDirectory = Jobs });
        await client.UploadFileAsync(Local["f"], "/f").Failure<TransferException>();
        Assert.That(Directory.Exists(Jobs), Is.False);
    }

    [Test]
    public void Files_that_are_named_one_by_one_need_a_journal_to_resume() => Assert.That(
        async () => await Client.UploadFilesAsync(AsyncEnumerable.Empty<FileUpload>(), new() { Resume = true }),
        Throws.ArgumentException.With.Message.Contains("FilesOptions.Resume must not be set without Journal"));

    [Test]
    public void Journals_of_old_jobs_are_deleted_and_nothing_else_is()
    {
        var time = new ManualTime();
        string[] names = ["old.journal", "new.journal", "old.lock"];
        foreach (var name in names) Local.Add($"state/jobs/{name}", [1]);
        foreach (var name in names)
            File.SetLastWriteTimeUtc(Local[$"state/jobs/{name}"], time.GetUtcNow().UtcDateTime.AddDays(name.StartsWith('o') ? -31 : -29));
        var journal = new JournalDirectory(Jobs, time).JournalFor("a", "b");
        Assert.That(Directory.GetFiles(Jobs).Select(Path.GetFileName), Is.EquivalentTo(new[] { "new.journal", "old.lock" }));
        Assert.That((Path.GetDirectoryName(journal), Path.GetExtension(journal)), Is.EqualTo((Jobs, ".journal")));
    }

    [Test]
    public void Names_tell_jobs_apart_and_nothing_of_them()
    {
        var jobs = new JournalDirectory(Jobs);
        Assert.That(new[] { jobs.LockFor("a", "b"), jobs.LockFor("b", "a"), jobs.LockFor("ab"), jobs.LockFor("secret") }, Is.Unique);
        Assert.That(jobs.LockFor("secret"), Is.EqualTo(new JournalDirectory(Jobs).LockFor("secret")).And.Not.Contains("secret"));
    }

    [Test]
    public void The_place_is_the_users_directory_for_states()
    {
        var (state, home) = (Local["x"], Local["home"]);
        Assert.That(JournalDirectory.StatePath("jobs", name => name == "XDG_STATE_HOME" ? state : null, home),
            Is.EqualTo(Path.Combine(state, "transfer", "jobs")));
        Assert.That(JournalDirectory.StatePath("jobs", _ => null, home),
            Does.StartWith(home).And.EndsWith(Path.Combine("transfer", "jobs")));
        Assert.That(JournalDirectory.StatePath("jobs", _ => null, string.Empty), Is.Null);
    }
}
