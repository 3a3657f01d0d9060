using Transfer.Engine.Operations;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Replay;

/// <summary>One folder goes up or down, with a journal; the last run goes on with it.</summary>
internal sealed class FolderScenario : ReplayScenario
{
    private readonly MemoryStore _store;
    private readonly Dictionary<string, byte[]> _files;
    private readonly Dictionary<string, byte[]> _old;
    private readonly bool _isUpload;
    private IReadOnlyList<KeptFile> _kept = [];

    public FolderScenario(ReplayWorld world)
        : base(world)
    {
        _store = new MemoryStore { Time = world.Time, SessionLimit = Random.Next(3) == 0 ? 1 + Random.Next(3) : int.MaxValue };
        _isUpload = Random.Next(2) == 0;
        _files = Draw("f", most: 24, longest: 20_000);
        _old = DrawOld(_files, outOf: 4);
        _store.AddDirectory("/there");
        if (_isUpload)
        {
            foreach (var (name, content) in _old) _store.AddFile($"/there/{name}", content, Samples.Time);
            Write(Here, _files, Samples.Time.AddDays(1));
        }
        else
        {
            foreach (var (name, content) in _files) _store.AddFile($"/there/{name}", content, Samples.Time.AddDays(1));
            Write(Here, _old, Samples.Time);
        }
    }

    private string Here => Path.Join(World.Disk, "here");

    private string Journal => Path.Join(World.Disk, "state", "job.journal");

    public override async Task LiveAsync(bool last)
    {
        _store.Restart();
        var drawn = World.DrawOptions();
        var most = Math.Min(drawn.MaxSessions, _store.SessionLimit);
        await using (var client = new ReplayClient("memory://host/", drawn, ct => ReplaySession.OpenAsync(_store, World, "s", ct)))
        {
            using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 6), World.Time);
            var items = new ItemLog(World.Log, name => AreSame(Read(name), _files[name]));
            var options = new DirectoryOptions
            {
                Overwrite = OverwriteMode.Always,
                Journal = Journal,
                Resume = File.Exists(Journal),
                Sessions = Random.Next(3) == 0 ? 1 + Random.Next(4) : null,
                Verify = Random.Next(3) == 0 ? VerificationMode.Reply : VerificationMode.Size,
            };
            var job = _isUpload
                ? FolderJobs.UploadAsync(client.Engine, Here, "/there", options,
                    new TransferJobContext(items: items, cancellationToken: cancel.Token))
                : FolderJobs.DownloadAsync(client.Engine, "/there", Here, options,
                    new TransferJobContext(items: items, cancellationToken: cancel.Token));
            using var closing = new CancellationTokenSource();
            var close = CloseAsync(client, DrawStop(last, outOf: 8), closing.Token);
            var result = await EndAsync("job", job, last);
            await closing.CancelAsync();
            await close;
            items.Check(result, _files.Count);
            _kept = result?.Kept ?? [];
            if (last) RequireAll(result);
        }
        if (_store.Peak > most) throw new ReplayException($"{_store.Peak} sessions were open at once, of {most}.");
        if (_store.OpenNow != 0 && !World.IsBusy)
            throw new ReplayException($"{_store.OpenNow} sessions are open after the client was disposed.");
    }

    public override void Judge(bool last)
    {
        var names = _isUpload
            ? _store.Files.Select(path => RemotePath.GetName(path))
            : Directory.GetFiles(Here).Select(path => Path.GetFileName(path));
        JudgeFolder(_isUpload ? "server" : "disk", names, Read, _files, _old, last, hasJournal: true, _kept);
        if (last && _kept.Count == 0 && File.Exists(Journal)) throw new ReplayException("The journal is left.");
    }

    private byte[]? Read(string name)
    {
        if (_isUpload) return _store[$"/there/{name}"]?.Content;
        var path = Path.Join(Here, name);
        return File.Exists(path) ? File.ReadAllBytes(path) : null;
    }

    // Whoever disposes a client under a job gives the job up.
    private async Task CloseAsync(ReplayClient client, TimeSpan after, CancellationToken ct)
    {
        await Task.Delay(after, World.Time, ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!ct.IsCancellationRequested) await client.DisposeAsync();
    }
}
