namespace Transfer;

/// <summary>A proxy that every connection goes through.</summary>
public sealed record ProxyOptions
{
    /// <summary>The protocol spoken to it.</summary>
    public required ProxyKind Kind { get; init; }

    /// <summary>Its host name or address.</summary>
    public required string Host { get; init; }

    /// <summary>Its port.</summary>
    public required int Port { get; init; }

    /// <summary>The log-in, if it wants one.</summary>
    public TransferCredential? Credential { get; init; }
}
