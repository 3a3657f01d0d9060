namespace Transfer.Testing.Faults;

/// <summary>Resets the data connection at once.</summary>
internal sealed record RefuseDataFault : FaultAction;
