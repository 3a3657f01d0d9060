namespace Transfer.Testing.Faults;

/// <summary>Sends a reply that does not end.</summary>
internal sealed record EndlessReplyFault(long Bytes, bool LineEnds) : FaultAction;
