namespace Transfer.Testing.Faults;

/// <summary>Replaces the final reply; null sends none.</summary>
internal sealed record FinalReplyFault(string? Reply) : FaultAction;
