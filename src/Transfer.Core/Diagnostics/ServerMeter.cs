using Transfer.Sessions;

namespace Transfer.Diagnostics;

/// <summary>One server in the telemetry: scheme, address and port are attributes of everything counted here. Made once for each client,
/// since the attributes of a byte count must cost nothing.</summary>
public sealed class ServerMeter
{
    /// <summary>The meter for transfers whose other end is two streams of the caller, without a known address.</summary>
    public static readonly ServerMeter OfStreams = new([]);

    // The server of the operation that runs in this flow of control and measures its parts; null: each operation is measured.
    private static readonly AsyncLocal<ServerMeter?> Whole = new();

    private readonly KeyValuePair<string, object?>[] _server;
    private readonly KeyValuePair<string, object?>[] _sent;
    private readonly KeyValuePair<string, object?>[] _received;

    /// <param name="endpoint">The server: scheme, host and port become attributes.</param>
    public ServerMeter(Uri endpoint)
        : this(TransferDiagnostics.Attributes(endpoint))
    {
    }

    private ServerMeter(KeyValuePair<string, object?>[] server)
    {
        _server = server;
        _sent = [.. server, new(TransferTelemetry.DirectionAttribute, "transmit")];
        _received = [.. server, new(TransferTelemetry.DirectionAttribute, "receive")];
    }

    /// <summary>Runs an operation as a span, and measures the duration. An exception marks the operation as failed. Cancellation by the
    /// caller does not, and is thrown with the caller's own token.</summary>
    /// <param name="operation">The name of the operation (<c>transfer.operation</c>), such as <c>send</c>.</param>
    /// <param name="time">The clock.</param>
    /// <param name="action">The operation.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public async Task<T> MeasureAsync<T>(string operation, TimeProvider time, Func<Task<T>> action, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(time);
        ArgumentNullException.ThrowIfNull(action);
        using var scope = IsInWhole ? null : new OperationScope(operation, _server, time);
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
            scope?.Fail(e);
            throw;
        }
    }

    /// <summary>Runs an operation that is made of operations with the same server, such as a batch through a store: one span and one
    /// duration, and none of its parts'. Bytes and retries of the parts count.</summary>
    /// <inheritdoc cref="MeasureAsync" path="/param"/>
    public Task<T> MeasureWholeAsync<T>(string operation, TimeProvider time, Func<Task<T>> action, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(action);
        return MeasureAsync(operation, time, () =>
        {
            Whole.Value = this;
            return action();
        }, cancellationToken);
    }

    /// <summary>Whether the code that runs now is a part of an operation that is measured as a whole.</summary>
    internal bool IsInWhole => Whole.Value == this;

    /// <summary>Counts content bytes.</summary>
    internal void Moved(WorkKind kind, long bytes) => TransferDiagnostics.Io.Add(bytes, kind == WorkKind.Upload ? _sent : _received);

    /// <summary>Counts a file that is in line again.</summary>
    internal void Retried() => TransferDiagnostics.Retries.Add(1, _server);
}
