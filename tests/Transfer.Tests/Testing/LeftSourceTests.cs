using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Sources at a server that a job could not remove or move: they are reported, whatever the code of the refusal.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class LeftSourceTests
{
    private static readonly byte[] Content = SftpServerHarness.Content(3000);

    [Test]
    public async Task A_source_that_is_still_there_is_a_failure_even_if_the_server_says_that_it_does_not_exist(
        [Values] bool moves,
        [Values(SftpTestStatus.NoSuchFile, SftpTestStatus.Failure, SftpTestStatus.PermissionDenied)] SftpTestStatus status)
    {
        var store = new MemoryStore();
        store.AddFile("/d/a", Content);
        await using var server = await SftpServerHarness.StartAsync(new() { Store = store });
        foreach (var verb in new[] { "REMOVE", "RENAME", "posix-rename@openssh.com" }) server.Faults.Status(verb, status, times: 99);
        await using var client = server.Client();
        using var folder = new TempFolder();
        var result = await client.DownloadDirectoryAsync("/d", folder.Path,
            moves ? new() { MoveSourceTo = "/done" } : new() { RemoveSource = true });
        Assert.That((result.Files, result.Failed, result.Failures.Single().IsLeft), Is.EqualTo((1L, 1L, true)));
        Same.Bytes(store.ReadFile("/d/a"), Content);
        Same.Bytes(folder.Read("a"), Content);
    }

    [Test]
    public async Task A_source_that_another_has_removed_meanwhile_is_no_failure([Values] bool moves)
    {
        var store = new MemoryStore();
        store.AddFile("/d/a", Content);
        await using var server = await SftpServerHarness.StartAsync(new() { Store = store });
        foreach (var verb in new[] { "REMOVE", "RENAME", "posix-rename@openssh.com" })
            server.Faults.FinalStatus(verb, SftpTestStatus.NoSuchFile, times: 99);
        await using var client = server.Client();
        using var folder = new TempFolder();
        var result = await client.DownloadDirectoryAsync("/d", folder.Path,
            moves ? new() { MoveSourceTo = "/done" } : new() { RemoveSource = true });
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Same.Bytes(folder.Read("a"), Content);
    }
}
