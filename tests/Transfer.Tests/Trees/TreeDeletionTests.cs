namespace Transfer.Tests.Trees;

/// <summary>Deletions of whole trees and lists: in streams, with errors and lost sessions in the midst.</summary>
[CancelAfter(120_000)]
[TestFixture(true)]
[TestFixture(false)]
[Category(Categories.Slow)]
internal sealed class TreeDeletionTests(bool sftp)
{
    private const int Files = 1000;
    private const int Folders = TreeServer.Folders;

    [Test]
    public async Task A_thousand_files_of_many_folders_leave_in_one_flight()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        var paths = server.Plant(Files);
        await server.Client.PingAsync();
        var sample = server.PlantSample(paths);
        var each = await server.BytesOfAsync(() => server.Client.StartDeleteFiles(sample.ToAsyncEnumerable()).Completion) / sample.Length;
        var needed = await server.BytesOfListingAsync("/t") + (each * Files * 19 / 20);
        var before = server.BytesSent;
        var held = server.Stall(server.Delete);
        var deletion = server.Client.DeleteAsync("/t", recursive: true).AsTask();
        await held.FirstFired.WaitAsync(Eventually.Hang);
        await server.UnderWayAsync(server.Delete, Files, before + needed);
        Assert.That(deletion.IsCompleted, Is.False);
        Assert.That(server.Store.Files, Has.Count.EqualTo(Files), "none is executed");
        held.Release();
        Assert.That(await deletion.Soon(), Is.True);
        Assert.That(server.Store.Exists("/t"), Is.False);
        Assert.That(server.Arguments(server.Delete).Where(path => path.StartsWith("/t/", StringComparison.Ordinal)), Is.EquivalentTo(paths),
            "each once");
        Assert.That(server.Arguments(server.Remove), Has.Length.EqualTo(Folders + 4 + 1));
    }

    [Test]
    public async Task One_that_is_refused_is_named_and_the_rest_is_gone([Values(1, 2)] int sessions)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.Refuse(server.Delete, paths[517]);
        await using var job = server.Client.StartDelete("/t", recursive: true, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync();
        var result = await job.Completion.Soon();
        Assert.That((result.Failed, result.Failures[0].Error!.RemotePath, result.Failures[0].Error!.Error, result.Deleted),
            Is.EqualTo((1, paths[517], TransferError.Denied, Files - 1 + (Folders - 1) + 3)));
        Assert.That(server.Store.Files, Is.EqualTo(new[] { paths[517] }));
        Assert.That(items.Where(item => item.Error is not null).Select(item => item.Path), Is.EqualTo(new[] { paths[517] }),
            "the folders above it stay, and are no errors of their own");
        Assert.That(items.Select(item => item.Path), Is.Unique);
        Assert.That(items, Has.Count.EqualTo(Files + (Folders - 1) + 3));
        Assert.That(items.Select(item => item.Action), Is.All.EqualTo(ItemAction.Delete));
    }

    [Test]
    public async Task After_a_lost_session_the_rest_is_deleted_on_another_and_nothing_twice(
        [Values(1, 2)] int sessions, [Values] bool executed, [Values] bool folders)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        server.Plant(Files);
        var (verb, skip) = folders ? (server.Remove, Folders / 2) : (server.Delete, Files / 2);
        server.Drop(verb, executed, skip);
        await using var job = server.Client.StartDelete("/t", recursive: true, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync();
        Assert.That((await job.Completion.Soon()).Deleted, Is.EqualTo(Files + Folders + 4 + 1));
        Assert.That(server.Store.Exists("/t"), Is.False);
        Assert.That(items.Where(item => item.Error is not null), Is.Empty);
        Assert.That(items.Select(item => item.Path), Is.Unique);
        Assert.That(items, Has.Count.EqualTo(Files + Folders + 4 + 1));
        if (sessions > 1) return;
        var done = server.Arguments(verb, connection: 1).Take(skip + (executed ? 1 : 0)).ToHashSet();
        var after = server.Commands.Where(c => c.Verb == verb && c.Connection > 1).Select(c => c.Argument).ToList();
        Assert.That(after, Is.Not.Empty);
        Assert.That(after.Where(done.Contains), Is.Empty, "deleted by the lost session");
    }

    [Test]
    public async Task Files_of_a_list_whose_answer_was_lost_count_as_deleted([Values(1, 2)] int sessions, [Values] bool executed)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.Drop(server.Delete, executed, Files / 2);
        var job = server.Client.StartDeleteFiles(paths.ToAsyncEnumerable(), readItems: false);
        await using var end = job;
        var result = await job.Completion.Soon();
        Assert.That((result.Deleted, result.Failed), Is.EqualTo(((long)Files, 0L)));
        Assert.That(server.Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_synchronisation_that_loses_its_session_deletes_the_rest([Values(1, 2)] int sessions, [Values] bool executed)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        server.Plant(Files);
        using var here = new TempFolder();
        here.Add("kept", [1]);
        server.Drop(server.Delete, executed, Files / 2);
        var result = await server.Client.SynchronizeAsync(here.Path, "/t", SyncDirection.Up, new SyncOptions { Delete = true }).Soon();
        Assert.That((result.Deleted, result.Failed), Is.EqualTo((Files + Folders + 4L, 0L)));
        Assert.That(server.Store.Files, Is.EqualTo(new[] { "/t/kept" }));
    }

    [Test]
    public async Task Links_in_the_tree_are_deleted_and_nothing_behind_them()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        server.Plant(100);
        server.Store.AddFile("/other/precious", [1]);
        server.Store.AddSymbolicLink("/t/0/outside", "/other");
        server.Store.AddSymbolicLink("/t/0/itself", "/t");
        Assert.That(await server.Client.DeleteAsync("/t", recursive: true).AsTask().Soon(), Is.True);
        Assert.That(server.Store.Files, Is.EqualTo(new[] { "/other/precious" }));
        Assert.That(server.Store.Exists("/t"), Is.False);
    }
}
