using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>Sources at a server that change after they were read, in jobs that remove or move their sources.</summary>
public sealed class ChangedSourceTests : MemoryFixture
{
    private static readonly byte[] Newer = [7, 8, 9];

    [Test]
    public async Task A_source_that_changes_during_the_proof_of_two_folders_is_left([Values] bool moves, [Values] bool copies)
    {
        Store.AddFile("/d/a", [1], Samples.Time);
        // The proof looks for its mark beside the source.
        Store.Faults.On("stat", new Fault { Hold = Change }, path: path => TemporaryNames.IsTemporary(RemotePath.GetName(path)));
        var result = await RunAsync(moves ? new() { MoveSourceTo = "/done" } : new() { RemoveSource = true }, copies);
        Assert.That((result.Files, result.Failures.Single().IsLeft), Is.EqualTo((1L, true)));
        Assert.That((Store["/d/a"]?.Content, Store["/done/a"]), Is.EqualTo((Newer, (MemoryNode?)null)));
    }

    [Test]
    public async Task A_source_that_changes_while_the_archive_is_made_is_left()
    {
        Store.AddFile("/d/a", [1], Samples.Time);
        Store.Faults.On("mkdir", new Fault { Hold = Change }, path: path => path == "/done");
        var result = await RunAsync(new() { MoveSourceTo = "/done" }, copies: false);
        Assert.That((result.Files, result.Failures.Single().IsLeft), Is.EqualTo((1L, true)));
        Assert.That((Store["/d/a"]?.Content, Store["/done/a"]), Is.EqualTo((Newer, (MemoryNode?)null)));
    }

    // One session has nothing else in between: neither content of the job nor a proof.
    [Test]
    public async Task A_source_is_removed_right_behind_its_look([Values] bool moves)
    {
        var names = Enumerable.Range(0, 20).Select(i => $"f{i}").ToArray();
        foreach (var name in names) Store.AddFile("/d/" + name, [1], Samples.Time);
        var steps = new Collected<(string Operation, string Path)>();
        foreach (var operation in (string[])["stat", "delete", "move", "mkdir", "list", "download"])
            Store.Faults.On(operation, new Fault(), path: path => Note(operation, path));
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var result = await client.DownloadDirectoryAsync("/d", Local.Path,
            moves ? new() { MoveSourceTo = "/done" } : new() { RemoveSource = true }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((20L, 0L)));
        List<(string Operation, string Path)> all = [.. steps.Values];
        foreach (var name in names)
        {
            var end = all.IndexOf(moves ? ("move", "/done/" + name) : ("delete", "/d/" + name));
            var look = all.FindLastIndex(end, step => step == ("stat", "/d/" + name));
            Assert.That(look, Is.GreaterThanOrEqualTo(0));
            Assert.That(all[look..end].Select(step => step.Operation), Has.All.AnyOf("stat", "delete"), name);
            Assert.That(all[look..end].Where(step => TemporaryNames.IsTemporary(RemotePath.GetName(step.Path))), Is.Empty, name);
        }

        bool Note(string operation, string path)
        {
            steps.Report((operation, path));
            return false;
        }
    }

    private Task Change(CancellationToken ct)
    {
        Store.AddFile("/d/a", Newer, Samples.Time.AddHours(1));
        return Task.CompletedTask;
    }

    private async Task<JobResult> RunAsync(DirectoryOptions options, bool copies)
    {
        if (!copies) return await Client.DownloadDirectoryAsync("/d", Local.Path, options).Soon();
        await using var target = new MemoryTransferClient(new MemoryStore());
        return await Client.CopyDirectoryAsync("/d", target, "/t", options).Soon();
    }
}
