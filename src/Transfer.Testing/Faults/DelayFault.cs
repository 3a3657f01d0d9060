namespace Transfer.Testing.Faults;

/// <summary>Waits before executing.</summary>
internal sealed record DelayFault(TimeSpan Delay) : FaultAction;
