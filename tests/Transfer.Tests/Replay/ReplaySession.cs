using Transfer.Sessions;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Replay;

/// <summary>A session of a store in memory, in a run's weather.</summary>
internal sealed class ReplaySession : MemorySession
{
    private const int Chunk = 4096;

    private readonly ReplayWorld _world;
    private readonly string _name;

    private ReplaySession(MemoryStore store, ReplayWorld world, string name)
        : base(store)
    {
        _world = world;
        _name = name;
    }

    /// <summary>Opens a session as the weather has it.</summary>
    public static async ValueTask<TransferSession> OpenAsync(MemoryStore store, ReplayWorld world, string server, CancellationToken ct)
    {
        var name = $"{server}{++world.Sessions}";
        world.Log.Add($"{name} open");
        await Task.Delay(world.Weather.Latency(), world.Time, ct);
        if (world.Weather.IsLost()) throw new TransferConnectionException(TransferError.Lost, "drawn: refused to connect");
        return new ReplaySession(store, world, name);
    }

    public override TransferFeatures Features => base.Features with { SegmentedDownloads = true };

    public override ValueTask DisposeAsync()
    {
        _world.Log.Add($"{_name} close");
        return base.DisposeAsync();
    }

    protected override Fault? FaultOf(string operation, string path)
    {
        var (weather, time) = (_world.Weather, _world.Time);
        var (lost, refused, way, back) = (weather.IsLost(), weather.IsRefused(), weather.Latency() / 2, weather.Latency() / 2);
        // A server that refuses renames has its files written under their own names: those are no whole files at once.
        refused &= operation != "move";
        var fault = new Fault
        {
            Hold = ct => Task.Delay(way, time, ct),
            HoldAfter = ct => Task.Delay(back, time, ct),
            LoseBefore = lost && weather.Next(3) == 0,
            LoseAfter = lost && weather.Next(2) == 0,
            Refuse = refused ? new TransferException(TransferError.Denied, "drawn: refused") { IsTransient = weather.Next(2) == 0 } : null,
        };
        if (lost && fault is { LoseBefore: false, LoseAfter: false }) Store.Faults.CutAtByte(weather.Next(4 * Chunk));
        var fate = fault.LoseBefore ? " lost" : fault.Refuse is not null ? " refused" : fault.LoseAfter ? " done, lost" : string.Empty;
        if (operation == "delete" && fault.Refuse is not null) _world.NotDeleted.Add(RemotePath.GetName(path));
        _world.Log.Add($"{_name} {operation} {path}{fate}");
        return fault;
    }
}
