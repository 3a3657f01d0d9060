namespace Transfer.Testing.Faults;

/// <summary>Replaces what is sent.</summary>
internal sealed record SendDataFault(byte[] Content) : FaultAction;
