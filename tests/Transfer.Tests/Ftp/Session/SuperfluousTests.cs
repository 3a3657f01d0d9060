namespace Transfer.Tests.Ftp.Session;

/// <summary>202, not implemented or superfluous (RFC 959 section 4.2), says that nothing was done.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class SuperfluousTests
{
    private const string Superfluous = "202 superfluous at this site";

    [TestCase("DELE", "/f")]
    [TestCase("RMD", "/empty")]
    public async Task A_deletion_did_not_happen(string verb, string path)
    {
        await using var ftp = await StartAsync(verb);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync(path).AsTask());
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Unsupported, 202)));
        Assert.That(await ftp.Client.GetEntryAsync(path), Is.Not.Null);
    }

    [Test]
    public async Task A_tree_is_left_and_named([Values("DELE", "RMD")] string verb)
    {
        await using var ftp = await StartAsync(verb);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/t", recursive: true).AsTask());
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Unsupported, 202)));
        Assert.That(await ftp.Client.GetEntryAsync("/t"), Is.Not.Null);
    }

    [Test]
    public async Task A_folder_was_not_created()
    {
        await using var ftp = await StartAsync("MKD");
        var error = await FtpHarness.FailsAsync(() => ftp.Client.CreateDirectoryAsync("/new").AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        await ftp.Client.CreateDirectoryAsync("/empty");
    }

    [Test]
    public async Task Permissions_were_not_set()
    {
        await using var ftp = await StartAsync("SITE");
        var error = await FtpHarness.FailsAsync(() =>
            ftp.Client.ChangeModeAsync("/f", ModeChange.Parse("600")).AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    [Test]
    public async Task A_source_stays_and_is_named()
    {
        await using var ftp = await StartAsync("DELE");
        using var local = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/t", local.Path, new() { RemoveSource = true }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(result.Failures.Single().Error!.ServerCode, Is.EqualTo(202));
        Assert.That(ftp.Store.Files, Does.Contain("/t/f"));
    }

    private static async Task<FtpHarness> StartAsync(string verb)
    {
        var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/f", [1]);
        ftp.Store.AddFile("/t/f", [1]);
        await ftp.Client.CreateDirectoryAsync("/empty");
        ftp.Server.Faults.Reply(verb, Superfluous, times: int.MaxValue);
        return ftp;
    }
}
