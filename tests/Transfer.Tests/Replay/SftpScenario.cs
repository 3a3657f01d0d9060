using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Operations;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Replay;

/// <summary>A folder goes up over SFTP's own sessions, whose channels are in memory and are cut at a byte.</summary>
internal sealed class SftpScenario : ReplayScenario
{
    private const string Folder = "/home/user/in";

    private readonly FakeStore _store = new();
    private readonly Dictionary<string, byte[]> _files;
    private readonly Dictionary<string, byte[]> _old;
    private IReadOnlyList<KeptFile> _kept = [];

    public SftpScenario(ReplayWorld world)
        : base(world)
    {
        _files = Draw("f", most: 30, longest: 60_000);
        if (Random.Next(6) == 0) _files["long"] = Drawn(LongFile);
        _old = DrawOld(_files, outOf: 4);
        _store.Directories.Add(Folder);
        foreach (var (name, content) in _old) _store.Files[$"{Folder}/{name}"] = content;
        Write(Here, _files, Samples.Time);
    }

    private string Here => Path.Join(World.Disk, "here");

    private string Journal => Path.Join(World.Disk, "state", "job.journal");

    public override async Task LiveAsync(bool last)
    {
        await using var client = new ReplayClient("sftp://host/", World.DrawOptions(), OpenAsync);
        using var cancel = new CancellationTokenSource(DrawStop(last, outOf: 6), World.Time);
        var items = new ItemLog(World.Log, name => AreSame(Read(name), _files[name]));
        var resumes = File.Exists(Journal);
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Journal = Journal, Resume = resumes };
        var result = await EndAsync("job",
            FolderJobs.UploadAsync(client.Engine, Here, Folder, options,
                new TransferJobContext(items: items, cancellationToken: cancel.Token)), last);
        items.Check(result, _files.Count);
        _kept = result?.Kept ?? [];
        if (last) RequireAll(result);
    }

    public override void Judge(bool last)
    {
        var names = _store.Files.Keys.Where(path => RemotePath.GetParent(path) == Folder).Select(path => RemotePath.GetName(path));
        JudgeFolder("server", names, Read, _files, _old, last, hasJournal: true, _kept);
        if (last && _kept.Count == 0 && File.Exists(Journal)) throw new ReplayException("The journal is left.");
    }

    private byte[]? Read(string name) => _store.Files.GetValueOrDefault($"{Folder}/{name}");

    private async ValueTask<TransferSession> OpenAsync(CancellationToken ct)
    {
        var (weather, name) = (World.Weather, $"s{++World.Sessions}");
        World.Log.Add($"{name} open");
        await Task.Delay(weather.Latency(), World.Time, ct);
        var server = new FakeServer(_store)
        {
            Time = World.Time,
            Way = TimeSpan.FromMilliseconds(1) + weather.Latency(),
            CutReceived = weather.IsLost() ? weather.Next(100_000) : long.MaxValue,
            CutSent = weather.IsLost() ? weather.Next(5_000) : long.MaxValue,
            Instead = request =>
            {
                var refused = weather.IsRefused() && request.Type is not (SftpPacketType.Close or SftpPacketType.RealPath);
                World.Log.Add($"{name} {request}{(refused ? " refused" : string.Empty)}");
                if (refused && request.Type == SftpPacketType.Remove) World.NotDeleted.Add(RemotePath.GetName(request.Text));
                return refused ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
            },
        };
        var options = new SftpOptions { TimeProvider = World.Time, IdleTimeout = TimeSpan.FromSeconds(30) };
        var state = new SftpServerState { Umask = new SftpUmask((UnixFileMode)0b000_010_010) };
        return await SftpSession.OpenAsync(server.Start().Channel, name, options, state, NullLogger.Instance, ct);
    }
}
