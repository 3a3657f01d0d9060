namespace Transfer.Testing.Faults;

/// <summary>Holds the data connection.</summary>
internal sealed record StallDataFault(long AfterBytes) : FaultAction;
