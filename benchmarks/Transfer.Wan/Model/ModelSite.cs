namespace Transfer.Wan.Model;

/// <summary>The machines of a job, and its size. Rates are in bytes a second.</summary>
internal sealed record ModelSite
{
    /// <summary>The number of files.</summary>
    public required double Files { get; init; }

    /// <summary>The mean length of a file, in bytes.</summary>
    public required double Length { get; init; }

    /// <summary>The round trip between a worker and a server, in seconds.</summary>
    public double RoundTrip { get; init; }

    /// <summary>The processors of a worker that the job may use.</summary>
    public double WorkerCores { get; init; } = 2;

    /// <summary>The link of a worker.</summary>
    public double WorkerRate { get; init; } = 125e6;

    /// <summary>The sessions that a worker opens by itself.</summary>
    public int WorkerSessions { get; init; } = 16;

    /// <summary>The servers, all with the same files' disk behind them.</summary>
    public int Servers { get; init; } = 1;

    /// <summary>The processors of a server.</summary>
    public double ServerCores { get; init; } = 16;

    /// <summary>The link of a server.</summary>
    public double ServerRate { get; init; } = 1250e6;

    /// <summary>The sessions that a server allows.</summary>
    public int Sessions { get; init; } = 256;

    /// <summary>The files a second that one worker can move, with the name of what ends first.</summary>
    public (double Files, string Bound) WorkerLimit(ModelMethod method) => First(
        (WorkerCores / method.ClientSeconds, "the workers' processors"),
        (WorkerRate / Length, "the workers' links"),
        (WaitingLimit(method, WorkerSessions), "the workers' sessions"));

    /// <summary>The files a second that all servers can take, with the name of what ends first.</summary>
    public (double Files, string Bound) ServerLimit(ModelMethod method) => First(
        (Servers * ServerCores / method.ServerSeconds, "the server's processors"),
        (Servers * ServerRate / Length, "the server's link"),
        (WaitingLimit(method, Servers * Sessions), "the server's sessions"));

    /// <summary>What so many workers are bound by.</summary>
    public string BoundOf(ModelMethod method, int workers)
    {
        var (worker, server) = (WorkerLimit(method), ServerLimit(method));
        return workers * worker.Files > server.Files ? server.Bound : worker.Bound;
    }

    // A session that moves a file at a time waits for each of its round trips.
    private double WaitingLimit(ModelMethod method, double sessions) =>
        method.RoundTrips * RoundTrip > 0 ? sessions / (method.RoundTrips * RoundTrip) : double.PositiveInfinity;

    private static (double Files, string Bound) First(params ReadOnlySpan<(double Files, string Bound)> limits)
    {
        var first = limits[0];
        foreach (var limit in limits) first = limit.Files < first.Files ? limit : first;
        return first;
    }
}
