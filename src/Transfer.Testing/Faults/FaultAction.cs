namespace Transfer.Testing.Faults;

/// <summary>The action of a rule when it strikes.</summary>
internal abstract record FaultAction;
