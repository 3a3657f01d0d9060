namespace Transfer.Testing.Faults;

/// <summary>Replaces the sent content.</summary>
internal sealed record SendDataFault(byte[] Content) : FaultAction;
