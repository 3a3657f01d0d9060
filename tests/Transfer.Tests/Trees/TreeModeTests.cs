namespace Transfer.Tests.Trees;

/// <summary>Permissions of whole trees: in streams, with errors and lost sessions in the midst.</summary>
[CancelAfter(120_000)]
[TestFixture(true)]
[TestFixture(false)]
[Category(Categories.Slow)]
internal sealed class TreeModeTests(bool sftp)
{
    private const int Files = 1000;
    private const int Folders = TreeServer.Folders;
    private const UnixFileMode Wanted = (UnixFileMode)0b111_101_000;
    private const UnixFileMode Closed = (UnixFileMode)0b111_000_000;

    [Test]
    public async Task A_thousand_files_of_many_folders_leave_in_one_flight()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        var paths = server.Plant(Files);
        foreach (var folder in server.Store.Directories) await server.Store.SetModeAsync(folder, Closed);
        await server.Client.PingAsync();
        var (sample, mode) = (server.PlantSample(paths), ModeChange.Parse("750"));
        var each = (await server.BytesOfAsync(async () => await server.Client.ChangeModeAsync("/s", mode, recursive: true))
            - await server.BytesOfListingAsync("/s")) / sample.Length;
        var needed = await server.BytesOfListingAsync("/t") + (each * Files * 17 / 20);
        var before = server.BytesSent;
        // The folders come first: each that some may not list before its content.
        var held = server.StallAfter(server.Change, Folders + 4 + 1);
        var change = server.Client.ChangeModeAsync("/t", mode, recursive: true).AsTask();
        await held.FirstFired.WaitAsync(Eventually.Hang);
        await server.UnderWayAsync(server.Change, Files + Folders + 4 + 1, before + needed);
        Assert.That(change.IsCompleted, Is.False);
        held.Release();
        Assert.That(await change.Soon(), Is.EqualTo(Files + Folders + 4 + 1));
        foreach (var path in paths) Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }

    // In front, each level of the tree would take two round trips more.
    [Test]
    public async Task Folders_that_all_may_list_are_changed_behind_their_content()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        server.Plant(Folders);
        await server.Store.SetModeAsync("/t/0", Closed);
        await server.Client.ChangeModeAsync("/t", ModeChange.Parse("750"), recursive: true);
        string[] changed = [
            .. server.Arguments(server.Change).Select(argument => argument[argument.IndexOf("/t", StringComparison.Ordinal)..])];
        Assert.That(changed, Is.Unique.And.Length.EqualTo(Folders + Folders + 4 + 1));
        Assert.That(changed.TakeWhile(path => !path.Contains("file", StringComparison.Ordinal)), Is.EqualTo(new[] { "/t/0" }));
        foreach (var folder in server.Store.Directories.Where(folder => folder.StartsWith("/t", StringComparison.Ordinal)))
            Assert.That((await server.Store.GetAsync(folder))!.Mode, Is.EqualTo(Wanted), folder);
    }

    [Test]
    public async Task One_that_is_refused_is_named_and_the_rest_is_changed([Values(1, 2)] int sessions)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.RefuseChange(paths[517]);
        await using var job = server.Client.StartChangeMode("/t", ModeChange.Parse("750"), recursive: true, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync();
        var result = await job.Completion.Soon();
        Assert.That((result.Failed, result.Failures[0].Path, result.ModesChanged),
            Is.EqualTo((1, paths[517], Files - 1 + Folders + 4 + 1)));
        Assert.That(items.Where(item => item.Error is not null).Select(item => item.Path), Is.EqualTo(new[] { paths[517] }));
        Assert.That(items, Has.Count.EqualTo(Files + Folders + 4 + 1));
        Assert.That(items.Select(item => item.Action), Is.All.EqualTo(ItemAction.ChangeMode));
        foreach (var path in paths.Where(path => path != paths[517]))
            Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }

    [Test]
    public async Task After_a_lost_session_the_rest_is_changed_on_another([Values(1, 2)] int sessions, [Values] bool executed)
    {
        await using var server = await TreeServer.StartAsync(sftp, sessions);
        var paths = server.Plant(Files);
        server.Drop(server.Change, executed, Files / 2);
        await using var job = server.Client.StartChangeMode("/t", ModeChange.Parse("750"), recursive: true, readItems: true);
        var items = await job.ReadItemsAsync().ToListAsync();
        Assert.That((await job.Completion.Soon()).ModesChanged, Is.EqualTo(Files + Folders + 4 + 1));
        Assert.That(items.Select(item => item.Path), Is.Unique);
        foreach (var path in paths) Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo(Wanted), path);
    }

    [Test]
    public async Task An_entry_that_is_refused_is_the_error_of_a_call_without_a_job()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        var paths = server.Plant(3);
        server.RefuseChange(paths[1]);
        var error = await server.Client.ChangeModeAsync("/t", ModeChange.Parse("750"), recursive: true).AsTask()
            .Failure<TransferException>();
        Assert.That(error.RemotePath, Is.EqualTo(paths[1]));
    }

    [Test]
    public async Task A_job_that_is_paused_and_stopped_ends_the_requests_under_way_and_begins_no_more()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        var paths = server.Plant(Files);
        // Folders that would open none of their content are changed behind that.
        var held = server.StallAfter(server.Change, 10);
        await using var job = server.Client.StartChangeMode("/t", ModeChange.Parse("050"), recursive: true);
        await held.FirstFired.WaitAsync(Eventually.Hang);
        job.Pause();
        held.Release();
        var stopping = job.StopAsync();
        await stopping.Soon();
        Assert.That(job.Completion.IsCanceled);
        foreach (var path in paths) Assert.That((await server.Store.GetAsync(path))!.Mode, Is.EqualTo((UnixFileMode)0b000_101_000), path);
        Assert.That((await server.Store.GetAsync("/t"))!.Mode, Is.Not.EqualTo((UnixFileMode)0b000_101_000), "the folders come last");
    }

    [Test]
    public async Task A_job_whose_items_are_not_read_holds_no_session()
    {
        await using var server = await TreeServer.StartAsync(sftp);
        server.Plant(TransferJob.MostUnread + (2 * 1024));
        await using var job = server.Client.StartChangeMode("/t", ModeChange.Parse("050"), recursive: true, readItems: true);
        await Eventually.TrueAsync(() => server.Commands.Count(c => c.Verb == server.Change) >= TransferJob.MostUnread, "the first items");
        await server.Client.PingAsync().Soon();
        Assert.That(job.Completion.IsCompleted, Is.False);
        Assert.That(await job.ReadItemsAsync().CountAsync(), Is.EqualTo(TransferJob.MostUnread + (2 * 1024) + Folders + 4 + 1));
        Assert.That((await job.Completion.Soon()).Failed, Is.Zero);
    }
}
