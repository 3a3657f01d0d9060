using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Transfer.Sessions;

namespace Transfer.Diagnostics;

/// <summary>The telemetry of clients and their companions: a meter and an activity source, whose names are in <see cref="TransferTelemetry"/>.</summary>
public static class TransferDiagnostics
{
    internal static readonly ActivitySource Activities = new(TransferTelemetry.ActivitySourceName);
    private static readonly Meter Meter = new(TransferTelemetry.MeterName);

    // Sums what lives: a pool that was forgotten rather than disposed takes its count with it.
    private static readonly ConditionalWeakTable<SessionPool, Uri> Pools = [];

    // Seconds: those of the conventions for clients, and beyond them, since a folder may take hours.
    private static readonly double[] DurationBoundaries = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14400];

    private static readonly Histogram<double> Duration =
        Meter.CreateHistogram(TransferTelemetry.OperationDuration, "s", "How long operations take.", tags: null, new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBoundaries });

    private static readonly Counter<long> Io =
        Meter.CreateCounter<long>(TransferTelemetry.Io, "By", "Content bytes moved, those of failed attempts too.");

    private static readonly Counter<long> Retries =
        Meter.CreateCounter<long>(TransferTelemetry.Retries, "{retry}", "Files that were put in line again.");

    private static readonly KeyValuePair<string, object?> Transmit = new("network.io.direction", "transmit");
    private static readonly KeyValuePair<string, object?> Receive = new("network.io.direction", "receive");

    static TransferDiagnostics() =>
        Meter.CreateObservableUpDownCounter(TransferTelemetry.ConnectionCount, Connections, "{connection}", "Sessions that are open.");

    /// <summary>Runs an operation as a span, and measures its duration. An exception marks it as failed. Cancellation by the caller does not, and is thrown with the caller's own token.</summary>
    /// <param name="operation">The name of the operation (<c>transfer.operation</c>), such as <c>send</c>.</param>
    /// <param name="endpoint">The server, of which scheme, host and port become tags.</param>
    /// <param name="time">The clock.</param>
    /// <param name="action">The operation.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public static async Task<T> MeasureAsync<T>(string operation, Uri endpoint, TimeProvider time, Func<Task<T>> action, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(action);
        using var scope = new OperationScope(operation, endpoint, time, Activities, Duration);
        try
        {
            return await action().ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
        {
            if (e.CancellationToken == cancellationToken) throw;
            throw new OperationCanceledException(e.Message, e, cancellationToken);
        }
        catch (Exception e)
        {
            scope.Fail(e);
            throw;
        }
    }

    /// <summary>Counts content bytes.</summary>
    internal static void Moved(WorkKind kind, long bytes) => Io.Add(bytes, kind == WorkKind.Upload ? Transmit : Receive);

    /// <summary>Counts a file that is in line again.</summary>
    internal static void Retried() => Retries.Add(1);

    /// <summary>Counts a pool's sessions from now on.</summary>
    internal static void Observe(SessionPool pool, Uri endpoint) => Pools.Add(pool, endpoint);

    /// <summary>Forgets a pool.</summary>
    internal static void Forget(SessionPool pool) => Pools.Remove(pool);

    private static IEnumerable<Measurement<int>> Connections() =>
        Pools.Select(entry => new Measurement<int>(
            entry.Key.Open,
            new("url.scheme", entry.Value.Scheme),
            new("server.address", entry.Value.Host),
            new("server.port", entry.Value.Port > 0 ? entry.Value.Port : null)));
}
