namespace Transfer;

/// <summary>The names of metrics, spans and their attributes, after OpenTelemetry's semantic conventions.</summary>
public static class TransferTelemetry
{
    /// <summary>The name of the <see cref="System.Diagnostics.Metrics.Meter"/>.</summary>
    public const string MeterName = "Transfer";

    /// <summary>The name of the <see cref="System.Diagnostics.ActivitySource"/>: one span an operation, of kind client, named after the
    /// operation.</summary>
    public const string ActivitySourceName = "Transfer";

    /// <summary>Histogram, seconds: the duration of operations, by <see cref="OperationAttribute"/>, scheme, server and
    /// <see cref="ErrorTypeAttribute"/>. An operation that the caller cancelled has no error type. An operation that is made of others,
    /// such as the sending of a batch through a store, counts once.</summary>
    public const string OperationDuration = "transfer.client.operation.duration";

    /// <summary>Counter, bytes (<c>By</c>): content moved, that of failed attempts too, by scheme, server and
    /// <see cref="DirectionAttribute"/>. A batch through a store counts the bytes of archives and records.</summary>
    public const string Io = "transfer.client.io";

    /// <summary>Counter, unit <c>{retry}</c>: files that were put in line again, by scheme and server.</summary>
    public const string Retries = "transfer.client.retries";

    /// <summary>Counter that goes up and down, unit <c>{connection}</c>: sessions that are open, by scheme and server.</summary>
    public const string ConnectionCount = "transfer.client.connection.count";

    /// <summary>Attribute: the operation, such as <c>upload_directory</c>.</summary>
    public const string OperationAttribute = "transfer.operation";

    /// <summary>Attribute: the scheme of the server's URL, such as <c>sftp</c>.</summary>
    public const string SchemeAttribute = "url.scheme";

    /// <summary>Attribute: the server's name or address, as the client's URL has it.</summary>
    public const string AddressAttribute = "server.address";

    /// <summary>Attribute: the server's port, an integer; absent where the URL has none (<c>file:</c>).</summary>
    public const string PortAttribute = "server.port";

    /// <summary>Attribute of failed operations: a value of <see cref="TransferError"/>, or the type of another exception.</summary>
    public const string ErrorTypeAttribute = "error.type";

    /// <summary>Attribute: <c>transmit</c> or <c>receive</c>, as seen from this process.</summary>
    public const string DirectionAttribute = "network.io.direction";
}
