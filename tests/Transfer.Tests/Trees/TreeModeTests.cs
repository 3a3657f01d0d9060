namespace Transfer.Tests.Trees;

/// <summary>Permissions of whole trees: in streams, with errors and lost sessions in the midst.</summary>
[CancelAfter(120_000)]
[TestFixture(true)]
[TestFixture(false)]
internal sealed class TreeModeTests(bool sftp)
{
    private const int Files = 1000;
    private const int Folders = TreeServer.Folders;
    private const UnixFileMode Wanted = (UnixFileMode)0b111_101_000;

    [Test]
    public async Task A_thousand_files_of_many_folders_leave_in_one_flight()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        var paths = server.Plant(Files);
        await server.Client.PingAsync();
        var (sample, mode) = (server.PlantSample(paths), ModeChange.Parse("750"));
        var each = (await server.BytesOfAsync(async () => await server.Client.ChangeModeAsync("/s", mode, recursive: true))
            - await server.BytesOfListingAsync("/s")) / sample.Length;
        var needed = await server.BytesOfListingAsync("/t") + (each * Files * 17 / 20);
        var before = server.BytesSent;
        // The folders come first, each before its content.
        var held = server.StallAfter(server.Change, Folders + 4 + 1);
        var change = server.Client.ChangeModeAsync("/t", mode, recursive: true).AsTask();
        await held.FirstFired.WaitAsync(Eventually.Hang);
        await server.UnderWayAsync(server.Change, Files + Folders + 4 + 1, before + needed);
        Assert.That(change.IsCompleted, Is.False);
        held.Release();
        Assert.That(await change.Soon(), Is.EqualTo(Files + Folders + 4 + 1));
        foreach (var path in paths) Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }

    [Test]
    public async Task One_that_is_refused_is_named_and_the_rest_is_changed([Values(1, 2)] int sessions)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.RefuseChange(paths[517]);
        var items = new Collected<ItemResult>();
        var error = await server.Client.ChangeModeAsync("/t", ModeChange.Parse("750"), recursive: true, items).AsTask()
            .Failure<TransferException>();
        Assert.That(error.RemotePath, Is.EqualTo(paths[517]));
        Assert.That(items.Values.Where(item => item.Error is not null).Select(item => item.Path), Is.EqualTo(new[] { paths[517] }));
        Assert.That(items.Values, Has.Count.EqualTo(Files + Folders + 4 + 1));
        foreach (var path in paths.Where(path => path != paths[517]))
            Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }

    [Test]
    public async Task After_a_lost_session_the_rest_is_changed_on_another([Values(1, 2)] int sessions, [Values] bool executed)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.Drop(server.Change, executed, Files / 2);
        var items = new Collected<ItemResult>();
        var changed = await server.Client.ChangeModeAsync("/t", ModeChange.Parse("750"), recursive: true, items).AsTask().Soon();
        Assert.That(changed, Is.EqualTo(Files + Folders + 4 + 1));
        Assert.That(items.Values.Select(item => item.Path), Is.Unique);
        foreach (var path in paths) Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }
}
