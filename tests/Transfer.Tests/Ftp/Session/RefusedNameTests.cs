using Transfer.Replacing;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Whole uploads whose final name is refused once: for now, or though the rename was done.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class RefusedNameTests
{
    private static readonly byte[] Old = FtpHarness.Content(3000, 1);
    private static readonly byte[] New = FtpHarness.Content(5000, 2);

    [TestCase("450 busy", "/t", null)]
    [TestCase("450 busy", null, "/b")]
    [TestCase("451 try again", null, null)]
    [TestCase("451 try again", null, "/b")]
    [TestCase("426 closed", "/t", null)]
    public async Task A_name_that_is_refused_for_now_is_given_again_without_the_content(string reply, string? temporaries, string? backups)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/a", Old);
        ftp.Server.Faults.Reply("RNTO", reply, path: "/a");
        var result = await ftp.PutAsync("/a", New, new()
        {
            Overwrite = OverwriteMode.Always,
            Verify = VerificationMode.Hash,
            TemporaryDirectory = temporaries,
            BackupDirectory = backups,
            CreateDirectories = true,
        });
        Assert.That((result.Attempts, ftp.Work.Count(command => command.Verb == "STOR")), Is.EqualTo((1, 1)));
        Same.Bytes(ftp.Store.ReadFile("/a"), New);
        Assert.That(ftp.Store.Files, Is.EquivalentTo(backups is null ? ["/a"] : (string[])["/a", "/b/a"]));
    }

    [Test]
    public async Task A_move_to_the_backups_that_is_refused_for_now_is_made_again()
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/a", Old);
        ftp.Server.Faults.Reply("RNTO", "450 busy", path: "/b/a");
        await ftp.PutAsync("/a", New, new() { Overwrite = OverwriteMode.Always, BackupDirectory = "/b" });
        Same.Bytes(ftp.Store.ReadFile("/a"), New);
        Same.Bytes(ftp.Store.ReadFile("/b/a"), Old);
    }

    [Test]
    public async Task A_name_that_stays_refused_leaves_the_old_file_and_nothing_else([Values("450 busy", "451 no", "550 no")] string reply)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/a", Old);
        ftp.Server.Faults.Reply("RNTO", reply, times: 99);
        var options = new UploadOptions { Overwrite = OverwriteMode.Always, Verify = VerificationMode.Hash };
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/a", New, options));
        Assert.That(error.Message, Does.Contain(reply));
        Same.Bytes(ftp.Store.ReadFile("/a"), Old);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/a" }));
    }

    // Servers without MFMT give the file a time of their own.
    [Test]
    public async Task A_rename_that_is_refused_though_done_has_named_the_file([Values("550 failed", "451 failed")] string reply,
        [Values] bool setsTimes, [Values] bool replaces)
    {
        await using var ftp = await StartAsync(setsTimes ? [] : ["MFMT", "SITE"]);
        if (replaces) ftp.Store.AddFile("/d/a", Old);
        using var folder = new TempFolder();
        foreach (var name in (string[])["a", "b"]) folder.Add(name, New);
        ftp.Server.Faults.FinalReply("RNTO", reply, path: "/d/a");
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", new() { Overwrite = OverwriteMode.Always });
        Assert.That((result.Files, result.Failed), Is.EqualTo((2L, 0L)), string.Join(" ", result.Failures.Select(item => item.Error)));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a", "/d/b" }));
    }

    // A scanner may have deleted the file: an old one of the same length is no sign.
    [TestCase(RenameAnswer.SourceRefused, false)]
    [TestCase(RenameAnswer.Refused, true)]
    [TestCase(RenameAnswer.Later, true)]
    public void Without_times_a_file_of_that_length_is_ours_only_if_the_source_was_there(RenameAnswer answer, bool done)
    {
        var renaming = new Renaming("/d/.part", "/d/a") { IsTemporary = true, Replace = true, Length = New.Length };
        var sight = NameSight.Of(new RemoteEntry { Path = "/d/a", Type = RemoteEntryType.File, Length = New.Length });
        Assert.That(NameSigns.WasDone(sight, renaming, NameState.File, answer), Is.EqualTo(done));
    }

    private static Task<FtpHarness> StartAsync(params string[] disabled) => FtpHarness.StartAsync(
        new FtpTestServerOptions { DisabledCommands = disabled.ToHashSet() }, FtpHarness.Options with { TimeProvider = new SwiftTime() });
}
