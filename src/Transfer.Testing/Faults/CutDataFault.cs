namespace Transfer.Testing.Faults;

/// <summary>Ends the data connection early.</summary>
internal sealed record CutDataFault(long AfterBytes, bool Reset) : FaultAction;
