using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Servers that answer OK to a deletion or to MKDIR and change nothing.</summary>
[Parallelizable(ParallelScope.All)]
internal sealed class SftpEmptyDeletionTests
{
    [TestCase("REMOVE", "/d/a")]
    [TestCase("RMDIR", "/e")]
    public async Task A_deletion_without_effect_is_an_error(string verb, string path)
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        server.Faults.Status(verb, SftpTestStatus.Ok, times: 99);
        var error = await SftpServerHarness.FailsAsync(() => client.DeleteAsync(path).AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, path)));
        Assert.That(error.Message, Does.Contain("still there"));
    }

    [Test]
    public async Task A_folder_that_is_not_there_is_an_error()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        server.Faults.Status("MKDIR", SftpTestStatus.Ok, times: 99);
        var error = await SftpServerHarness.FailsAsync(() => client.CreateDirectoryAsync("/d/new").AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, "/d/new")));
        Assert.That(error.Message, Does.Contain("does not exist"));
    }

    [Test]
    public async Task One_folder_that_is_seen_proves_the_server()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        await client.CreateDirectoryAsync("/d/new");
        var before = server.Commands.Count;
        await client.CreateDirectoryAsync("/d/more");
        Assert.That(server.Commands.Skip(before).Select(command => command.Verb), Is.EqualTo(new[] { "MKDIR" }));
    }

    [Test]
    public async Task A_synchronization_counts_no_deletion_without_effect()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        server.Faults.Status("REMOVE", SftpTestStatus.Ok, times: 99);
        using var folder = new TempFolder();
        folder.Add("a", [1]);
        await client.DownloadDirectoryAsync("/d", folder.Path, new() { Overwrite = OverwriteMode.Always });
        File.Delete(Path.Combine(folder.Path, "b"));
        File.Delete(Path.Combine(folder.Path, "c"));
        var result = await client.SynchronizeAsync(folder.Path, "/d", SyncDirection.Up, new() { Delete = true });
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((0L, 2L)));
    }

    [Test]
    public async Task A_file_that_is_gone_proves_nothing_of_folders()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        server.Faults.Status("RMDIR", SftpTestStatus.Ok, times: 99);
        await client.DeleteAsync("/d/a");
        var error = await SftpServerHarness.FailsAsync(() => client.DeleteAsync("/d", recursive: true).AsTask());
        Assert.That(error.Message, Does.Contain("still there"));
    }

    [Test]
    public async Task One_entry_that_is_seen_to_be_gone_proves_the_server()
    {
        await using var server = await StartAsync();
        await using var client = server.Client();
        await client.DeleteAsync("/d/a");
        var before = server.Commands.Count;
        await client.DeleteAsync("/d/b");
        await client.DeleteAsync("/d/c");
        var sent = server.Commands.Skip(before).Select(command => command.Verb);
        Assert.That(sent, Is.EqualTo(new[] { "LSTAT", "REMOVE", "LSTAT", "REMOVE" }));
    }

    private static async Task<SftpTestServer> StartAsync()
    {
        var store = new MemoryStore();
        foreach (var name in new[] { "a", "b", "c" }) store.AddFile($"/d/{name}", [1]);
        store.AddDirectory("/e");
        return await SftpServerHarness.StartAsync(new SftpTestServerOptions { Version = "SSH-2.0-Other", Store = store });
    }
}
