using Transfer.Testing;

namespace Transfer.PowerShell.Tests;

/// <summary>The module in sessions in which other modules have loaded older versions of the libraries that it needs.</summary>
[TestFixture]
[Parallelizable(ParallelScope.All)]
public sealed class IsolationTests
{
    [OneTimeSetUp]
    public Task Restore() => Shell.RestoreAsync();

    [TestCase("Others")]
    [TestCase("Transfer")]
    public async Task Sessions_have_older_libraries_for_others_and_newer_ones_for_Transfer_whoever_loads_first(string first)
    {
        using var folder = new ServerFolders();
        await using var sftp = await SftpTestServer.StartAsync(new() { Store = new DirectoryStore(folder.Sftp) });
        var script = Path.Join(TestContext.CurrentContext.TestDirectory, "Scripts", "Isolation", "Isolation.ps1");
        var said = await Shell.RunScriptAsync(script, new Dictionary<string, string>
        {
            ["TRANSFER_MODULE"] = Shell.Module,
            ["TRANSFER_SFTP"] = sftp.Uri.ToString(),
            ["TRANSFER_SFTP_PIN"] = sftp.Fingerprint,
            ["TRANSFER_LOCAL"] = folder.Local,
            ["TRANSFER_OTHERS"] = Shell.Metadata("OtherLibraries"),
            ["TRANSFER_OTHER_MODULE"] = Shell.Metadata("OtherModule"),
        }, first);
        Assert.That(said, Does.Contain("isolated"), said);
    }
}
