namespace Transfer.Testing.Faults;

/// <summary>Sends raw bytes instead of executing.</summary>
internal sealed record GarbageFault(byte[] Bytes) : FaultAction;
