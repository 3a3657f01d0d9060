namespace Transfer;

/// <summary>
/// The names of metrics, spans and their attributes, after OpenTelemetry's semantic conventions (<c>server.address</c>, <c>server.port</c>,
/// <c>url.scheme</c>, <c>error.type</c>, <c>network.io.direction</c>).
/// </summary>
public static class TransferTelemetry
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/>.</summary>
    public const string MeterName = "Transfer";

    /// <summary>The name of the <see cref="System.Diagnostics.ActivitySource"/>: one span an operation, of kind client, named after the
    /// operation.</summary>
    public const string ActivitySourceName = "Transfer";

    /// <summary>Histogram, seconds: the duration of operations, by <see cref="OperationAttribute"/>, scheme, server and <c>error.type</c>.
    /// An operation that the caller cancelled has no <c>error.type</c>.</summary>
    public const string OperationDuration = "transfer.client.operation.duration";

    /// <summary>Counter, bytes: content moved, that of failed attempts too, by scheme, server and <c>network.io.direction</c>
    /// (<c>transmit</c>, <c>receive</c>).</summary>
    public const string Io = "transfer.client.io";

    /// <summary>Counter: files that were put in line again, by scheme and server.</summary>
    public const string Retries = "transfer.client.retries";

    /// <summary>Gauge: sessions that are open, by scheme and server.</summary>
    public const string ConnectionCount = "transfer.client.connection.count";

    /// <summary>Attribute: the operation, such as <c>upload_directory</c>.</summary>
    public const string OperationAttribute = "transfer.operation";
}
