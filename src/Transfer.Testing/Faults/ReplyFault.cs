namespace Transfer.Testing.Faults;

/// <summary>Sends a reply instead of executing.</summary>
internal sealed record ReplyFault(string Reply) : FaultAction;
