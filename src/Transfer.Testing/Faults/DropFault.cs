namespace Transfer.Testing.Faults;

/// <summary>Closes the control connection.</summary>
internal sealed record DropFault(bool Reset) : FaultAction;
