using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Servers that answer 250 to a deletion and delete nothing.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class EmptyDeletionTests
{
    [TestCase("DELE", "/d/a", true)]
    [TestCase("DELE", "/d/a", false)]
    [TestCase("RMD", "/e", true)]
    [TestCase("RMD", "/e", false)]
    public async Task A_deletion_without_effect_is_an_error(string verb, string path, bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        ftp.Server.Faults.Reply(verb, "250 done", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync(path).AsTask());
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((TransferError.Unsupported, path, 250)));
        Assert.That(error.Message, Does.Contain("still there"));
    }

    [Test]
    public async Task Sources_that_stay_are_named([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        ftp.Server.Faults.Reply("DELE", "250 done", times: 99);
        using var folder = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/d", folder.Path, new() { RemoveSource = true });
        Assert.That(result.Failed, Is.EqualTo(3));
        Assert.That(result.Failures.Select(failure => failure.Error!.Message), Has.All.Contains("still there"));
        Assert.That(Directory.GetFiles(folder.Path), Has.Length.EqualTo(3));
    }

    [Test]
    public async Task One_entry_that_is_seen_to_be_gone_proves_the_server()
    {
        await using var ftp = await StartAsync(hasMlst: true);
        await ftp.Client.DeleteAsync("/d/a");
        var before = ftp.Work.Count;
        await ftp.Client.DeleteAsync("/d/b");
        await ftp.Client.DeleteAsync("/d/c");
        Assert.That(ftp.Work.Skip(before).Select(command => command.Verb), Is.EqualTo(new[] { "MLST", "DELE", "MLST", "DELE" }));
    }

    [Test]
    public async Task A_file_that_is_gone_proves_nothing_of_folders([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        ftp.Server.Faults.Reply("RMD", "250 done", times: 99);
        await ftp.Client.DeleteAsync("/d/a");
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/d", recursive: true).AsTask());
        Assert.That(error.Message, Does.Contain("still there"));
        Assert.That(ftp.Store.Files, Is.Empty);
    }

    private static async Task<FtpHarness> StartAsync(bool hasMlst)
    {
        var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            Greeting = "Ready",
            DisabledCommands = hasMlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" },
        });
        foreach (var name in new[] { "a", "b", "c" }) ftp.Store.AddFile($"/d/{name}", [1]);
        ftp.Store.AddDirectory("/e");
        return ftp;
    }
}
