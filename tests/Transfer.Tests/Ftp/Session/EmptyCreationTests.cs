using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Servers that answer 257 to MKD and create nothing.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class EmptyCreationTests
{
    [Test]
    public async Task A_folder_that_is_not_there_is_an_error([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        ftp.Server.Faults.Reply("MKD", "257 created", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.CreateDirectoryAsync("/d/new").AsTask());
        Assert.That((error.Error, error.RemotePath, error.ServerCode), Is.EqualTo((TransferError.Unsupported, "/d/new", 257)));
        Assert.That(error.Message, Does.Contain("does not exist"));
    }

    [Test]
    public async Task An_empty_folder_of_a_tree_that_is_not_there_is_an_error([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        ftp.Server.Faults.Reply("MKD", "257 created", times: 99);
        using var folder = new TempFolder();
        Directory.CreateDirectory(Path.Combine(folder.Path, "empty"));
        folder.Add("b", [1]);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d");
        Assert.That(result.Failures.Single().Error!.Message, Does.Contain("/d/empty does not exist"));
    }

    [Test]
    public async Task One_folder_that_is_seen_proves_the_server([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst);
        await ftp.Client.CreateDirectoryAsync("/d/new");
        var before = ftp.Work.Count;
        await ftp.Client.CreateDirectoryAsync("/d/more");
        Assert.That(ftp.Work.Skip(before).Select(command => command.Verb), Is.EqualTo(new[] { "MKD" }));
    }

    // A drop box may show nothing of what it takes.
    [Test]
    public async Task A_folder_that_may_not_be_looked_at_counts_as_created()
    {
        await using var ftp = await StartAsync(hasMlst: false);
        foreach (var verb in new[] { "SIZE", "MDTM", "CWD", "LIST", "NLST" }) ftp.Server.Faults.Reply(verb, "550 no", times: 99);
        await ftp.Client.CreateDirectoryAsync("/d/new");
        Assert.That(ftp.Store.Directories, Does.Contain("/d/new"));
    }

    [Test]
    public async Task A_folder_that_MLST_hides_counts_as_created()
    {
        await using var ftp = await StartAsync(hasMlst: true);
        await ftp.Client.GetEntryAsync("/d/a");
        await ftp.Client.GetEntryAsync("/d");
        ftp.Server.Faults.Reply("MLST", "550 no", times: 99);
        await ftp.Client.CreateDirectoryAsync("/d/new");
        Assert.That(ftp.Store.Directories, Does.Contain("/d/new"));
    }

    private static async Task<FtpHarness> StartAsync(bool hasMlst)
    {
        var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            Greeting = "Ready",
            DisabledCommands = hasMlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" },
        });
        ftp.Store.AddFile("/d/a", [1]);
        return ftp;
    }
}
