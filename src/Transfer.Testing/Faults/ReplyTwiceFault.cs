namespace Transfer.Testing.Faults;

/// <summary>Sends the final reply twice.</summary>
internal sealed record ReplyTwiceFault : FaultAction;
