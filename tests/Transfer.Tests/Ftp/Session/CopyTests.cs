namespace Transfer.Tests.Ftp.Session;

/// <summary>Copies between two FTP servers, where a session sends several files before the first one has its name.</summary>
[CancelAfter(60_000)]
public sealed class CopyTests
{
    [TestCase(1, VerificationMode.Size)]
    [TestCase(3, VerificationMode.Size)]
    [TestCase(3, VerificationMode.Hash)]
    public async Task Files_of_a_batch_do_not_wait_for_each_others_ends(int sessions, VerificationMode verify)
    {
        var options = FtpHarness.Options with { MaxSessions = sessions };
        await using var from = await FtpHarness.StartAsync(options: options);
        await using var to = await FtpHarness.StartAsync(options: options);
        using var folder = new TempFolder();
        using var back = new TempFolder();
        for (var i = 0; i < 40; i++) folder.Add($"f{i}", FtpHarness.Content(100_000 + i, i));
        await from.Client.UploadDirectoryAsync(folder.Path, "/in").Soon();
        var result = await from.Client.CopyDirectoryAsync("/in", to.Client, "/out", new DirectoryOptions { Verify = verify }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((40L, 0L)));
        await to.Client.DownloadDirectoryAsync("/out", back.Path).Soon();
        for (var i = 0; i < 40; i++) Assert.That(back.Read($"f{i}").AsSpan().SequenceEqual(folder.Read($"f{i}")));
    }
}
