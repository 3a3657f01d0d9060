namespace Transfer.Testing.Faults;

/// <summary>What a rule does when it strikes.</summary>
internal abstract record FaultAction;
