using System.Diagnostics.Metrics;

namespace Transfer.Fleet;

/// <summary>The worker's metrics. Those of the transfers are in the meter of <see cref="TransferTelemetry"/>.</summary>
internal sealed class FleetMetrics : IDisposable
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "Transfer.Fleet";

    private readonly Meter _meter = new(Name);
    private readonly Counter<long> _runs;
    private readonly UpDownCounter<long> _running;
    private readonly Histogram<double> _seconds;

    public FleetMetrics()
    {
        _runs = _meter.CreateCounter<long>("transfer.fleet.runs", "{run}", "Runs of steps that have ended.");
        _running = _meter.CreateUpDownCounter<long>("transfer.fleet.running", "{run}", "Steps that run.");
        _seconds = _meter.CreateHistogram<double>("transfer.fleet.run.duration", "s", "The time of a run.");
    }

    /// <summary>Counts a run that begins.</summary>
    public void Begin() => _running.Add(1);

    /// <summary>Counts a run that has ended.</summary>
    /// <param name="outcome"><c>done</c>, <c>failed</c> or <c>stopped</c>.</param>
    /// <param name="isRecovery">Whether the step was recovered from a worker that died.</param>
    /// <param name="time">The time of the run.</param>
    public void End(string outcome, bool isRecovery, TimeSpan time)
    {
        _running.Add(-1);
        _runs.Add(1, new("outcome", outcome), new("recovery", isRecovery));
        _seconds.Record(time.TotalSeconds, new KeyValuePair<string, object?>("outcome", outcome));
    }

    public void Dispose() => _meter.Dispose();
}
