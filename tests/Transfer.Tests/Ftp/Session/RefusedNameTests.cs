using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Whole uploads whose final name is refused for now.</summary>
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

    private static Task<FtpHarness> StartAsync(params string[] disabled) => FtpHarness.StartAsync(
        new FtpTestServerOptions { DisabledCommands = disabled.ToHashSet() }, FtpHarness.Options with { TimeProvider = new SwiftTime() });
}
