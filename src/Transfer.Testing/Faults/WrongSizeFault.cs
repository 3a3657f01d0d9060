namespace Transfer.Testing.Faults;

/// <summary>Reports another size.</summary>
internal sealed record WrongSizeFault(long Size) : FaultAction;
