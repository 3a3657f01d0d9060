namespace Transfer.Testing.Faults;

/// <summary>Inverts a byte.</summary>
internal sealed record CorruptDataFault(long AtByte) : FaultAction;
