namespace Transfer.Testing.Faults;

/// <summary>Ends TLS without close_notify.</summary>
internal sealed record TruncateTlsFault(long AfterBytes) : FaultAction;
