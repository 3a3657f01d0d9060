using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;

namespace Transfer.Diagnostics;

/// <summary>The instruments of clients and companions: a meter and an activity source, whose names are in <see cref="TransferTelemetry"/>.
/// <see cref="ServerMeter"/> records with them.</summary>
internal static class TransferDiagnostics
{
    internal static readonly ActivitySource Activities = new(TransferTelemetry.ActivitySourceName);
    private static readonly Meter Meter = new(TransferTelemetry.MeterName);

    // Only live pools are summed: a pool that was forgotten rather than disposed takes its count with it.
    private static readonly ConditionalWeakTable<IConnectionCount, Uri> Pools = [];

    // Seconds: those of the conventions for clients, and beyond them, since a folder may take hours.
    private static readonly double[] DurationBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600,
        14400];

    internal static readonly Histogram<double> Duration =
        Meter.CreateHistogram(TransferTelemetry.OperationDuration, "s", "How long operations take.", tags: null,
            new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBoundaries });

    internal static readonly Counter<long> Io =
        Meter.CreateCounter<long>(TransferTelemetry.Io, "By", "Content bytes moved, those of failed attempts too.");

    internal static readonly Counter<long> Retries =
        Meter.CreateCounter<long>(TransferTelemetry.Retries, "{retry}", "Files that were put in line again.");

    static TransferDiagnostics() =>
        Meter.CreateObservableUpDownCounter(TransferTelemetry.ConnectionCount, Connections, "{connection}", "Sessions that are open.");

    /// <summary>Counts a pool's sessions from now on.</summary>
    internal static void Observe(IConnectionCount pool, Uri endpoint) => Pools.Add(pool, endpoint);

    /// <summary>Forgets a pool.</summary>
    internal static void Forget(IConnectionCount pool) => Pools.Remove(pool);

    /// <summary>The attributes of a server.</summary>
    internal static KeyValuePair<string, object?>[] Attributes(Uri endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        KeyValuePair<string, object?>[] server =
            [new(TransferTelemetry.SchemeAttribute, endpoint.Scheme), new(TransferTelemetry.AddressAttribute, endpoint.Host)];
        return endpoint.Port > 0 ? [.. server, new(TransferTelemetry.PortAttribute, endpoint.Port)] : server;
    }

    private static IEnumerable<Measurement<int>> Connections() =>
        Pools.Select(entry => new Measurement<int>(entry.Key.Open, Attributes(entry.Value)));
}
