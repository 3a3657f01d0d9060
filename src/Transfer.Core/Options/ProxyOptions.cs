namespace Transfer;

/// <summary>A proxy for all connections.</summary>
public sealed record ProxyOptions
{
    /// <summary>The protocol of the proxy.</summary>
    public required ProxyKind Kind { get; init; }

    /// <summary>The host name or address.</summary>
    public required string Host { get; init; }

    /// <summary>The port.</summary>
    public required int Port { get; init; }

    /// <summary>The log-in, if the proxy requires one.</summary>
    public TransferCredential? Credential { get; init; }
}
