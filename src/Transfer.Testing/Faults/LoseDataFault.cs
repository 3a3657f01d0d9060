namespace Transfer.Testing.Faults;

/// <summary>Drops the end of an upload.</summary>
internal sealed record LoseDataFault(long AfterBytes) : FaultAction;
