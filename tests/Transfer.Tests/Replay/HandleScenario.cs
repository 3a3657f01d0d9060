using Transfer.Tests.Engine;

namespace Transfer.Tests.Replay;

/// <summary>
/// Two lists of files, one up and one down, long ones in segments, followed by their handles: paused, resumed and stopped, their items read
/// slowly or not to the end, the files
/// given by producers that stall. Each list has a journal, with which the last life goes on.
/// </summary>
internal sealed class HandleScenario : ReplayScenario
{
    private readonly MemoryStore _store;
    private readonly Dictionary<string, byte[]> _sent;
    private readonly Dictionary<string, byte[]> _fetched;
    private readonly Dictionary<string, byte[]> _oldThere;
    private readonly Dictionary<string, byte[]> _oldHere;

    public HandleScenario(ReplayWorld world)
        : base(world)
    {
        _store = new MemoryStore { Time = world.Time, SessionLimit = Random.Next(3) == 0 ? 1 + Random.Next(3) : int.MaxValue };
        _sent = Draw("s", most: 15, longest: 10_000);
        _fetched = Draw("g", most: 15, longest: 10_000);
        if (Random.Next(3) == 0) _fetched["long"] = Drawn(LongFile);
        _oldThere = DrawOld(_sent, outOf: 4);
        _oldHere = DrawOld(_fetched, outOf: 4);
        _store.AddDirectory("/in");
        foreach (var (name, content) in _oldThere) _store.AddFile($"/in/{name}", content, Samples.Time);
        foreach (var (name, content) in _fetched) _store.AddFile($"/out/{name}", content, Samples.Time.AddDays(1));
        Write(Sources, _sent, Samples.Time.AddDays(1));
        Write(Targets, _oldHere, Samples.Time);
    }

    private string Sources => Path.Join(World.Disk, "sources");

    private string Targets => Path.Join(World.Disk, "targets");

    public override async Task LiveAsync(bool last)
    {
        _store.Restart();
        var drawn = World.DrawOptions();
        var most = Math.Min(drawn.MaxSessions, _store.SessionLimit);
        await using (var client = new ReplayClient("memory://host/", drawn, ct => ReplaySession.OpenAsync(_store, World, "s", ct)))
        {
            var up = client.StartUploadFiles(
                Named(_sent, name => new FileUpload(Path.Join(Sources, name), $"/in/{name}"), last), DrawOptions("up"), readItems: true);
            var down = client.StartDownloadFiles(
                Named(_fetched, name => new FileDownload($"/out/{name}", Path.Join(Targets, name)), last), DrawOptions("down"),
                readItems: true);
            await Task.WhenAll(
                FollowAsync("up", up, _sent, name => _store[$"/in/{name}"]?.Content, last),
                FollowAsync("down", down, _fetched, ReadHere, last));
        }
        if (_store.Peak > most) throw new ReplayException($"{_store.Peak} sessions were open at once, of {most}.");
        if (_store.OpenNow != 0 && !World.IsBusy)
            throw new ReplayException($"{_store.OpenNow} sessions are open after the client was disposed.");
    }

    public override void Judge(bool last)
    {
        var there = _store.Files.Where(path => RemotePath.GetParent(path) == "/in").Select(path => RemotePath.GetName(path));
        JudgeFolder("server", there, name => _store[$"/in/{name}"]?.Content, _sent, _oldThere, last, hasJournal: true);
        var here = Directory.GetFiles(Targets).Select(path => Path.GetFileName(path));
        JudgeFolder("disk", here, ReadHere, _fetched, _oldHere, last, hasJournal: true);
    }

    private FilesOptions DrawOptions(string list)
    {
        var journal = Path.Join(World.Disk, "state", $"{list}.journal");
        return new FilesOptions
        {
            Overwrite = OverwriteMode.Always,
            Journal = journal,
            Resume = File.Exists(journal),
            Sessions = Random.Next(3) == 0 ? 1 + Random.Next(3) : null,
            Segments = Random.Next(3) == 0 ? 1 + Random.Next(4) : null,
        };
    }

    private async IAsyncEnumerable<T> Named<T>(Dictionary<string, byte[]> files, Func<string, T> named, bool last)
    {
        foreach (var name in files.Keys)
        {
            if (!last && Random.Next(4) == 0) await Task.Delay(DrawMoment(), World.Time);
            yield return named(name);
        }
    }

    private async Task FollowAsync(string list, TransferJob job, Dictionary<string, byte[]> files, Func<string, byte[]?> read, bool last)
    {
        await using var jobEnd = job;
        var items = new ItemLog(World.Log, name => AreSame(read(name), files[name]));
        var reading = ReadAsync(job, items, last);
        var leading = LeadAsync(list, job, last);
        var result = await EndAsync(list, job.Completion, last);
        await leading;
        var readAll = await reading;
        if (items.Wrong is { } wrong) throw new ReplayException(wrong);
        if (readAll) items.Check(result, files.Count);
        if (last) RequireAll(result);
        if (job.Sessions.Count > 0) throw new ReplayException($"{list} has ended, and has sessions.");
    }

    // False: the reader has left before the end.
    private async Task<bool> ReadAsync(TransferJob job, ItemLog items, bool last)
    {
        var most = last || Random.Next(4) != 0 ? int.MaxValue : Random.Next(10);
        await foreach (var item in job.ReadItemsAsync())
        {
            items.Report(item);
            if (items.Count >= most) return false;
            if (!last && Random.Next(8) == 0) await Task.Delay(DrawMoment(), World.Time);
        }
        return true;
    }

    // Whoever pauses a job lets it go on some time, unless it is stopped or disposed of.
    private async Task LeadAsync(string list, TransferJob job, bool last)
    {
        for (var acts = Random.Next(4); acts > 0 && !job.Completion.IsCompleted; acts--)
        {
            await Task.Delay(DrawMoment(), World.Time);
            World.Log.Add($"{list} pause");
            job.Pause();
            await Task.Delay(DrawMoment(), World.Time);
            if (!last && Random.Next(5) == 0) await StopAsync(list, job);
            World.Log.Add($"{list} resume");
            job.Resume();
        }
        if (last || Random.Next(3) != 0) return;
        await Task.Delay(DrawMoment(), World.Time);
        await StopAsync(list, job);
    }

    private async Task StopAsync(string list, TransferJob job)
    {
        World.Log.Add($"{list} stop");
        var stopping = job.StopAsync();
        // A job that is paused stays so.
        job.Resume();
        await stopping;
        World.Log.Add($"{list} stopped");
        if (!job.Completion.IsCompleted) throw new ReplayException($"{list} was stopped, and goes on.");
    }

    private byte[]? ReadHere(string name)
    {
        var path = Path.Join(Targets, name);
        return File.Exists(path) ? File.ReadAllBytes(path) : null;
    }

    private TimeSpan DrawMoment() => TimeSpan.FromSeconds(Math.Pow(10, 4 * Random.NextDouble() - 3));
}
