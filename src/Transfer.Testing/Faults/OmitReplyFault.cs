namespace Transfer.Testing.Faults;

/// <summary>No reply to a request that is executed.</summary>
internal sealed record OmitReplyFault : FaultAction;
