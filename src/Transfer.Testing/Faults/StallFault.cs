namespace Transfer.Testing.Faults;

/// <summary>Waits until released.</summary>
internal sealed record StallFault : FaultAction;
