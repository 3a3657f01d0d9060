namespace Transfer.Dialing;

/// <summary>What to do about a socket's congestion control.</summary>
/// <param name="Name">The one to set; null: leave the system's default.</param>
/// <param name="Required">The dial fails when the system refuses it.</param>
/// <param name="Reason">Why, for the log.</param>
internal readonly record struct CongestionDecision(string? Name, bool Required, string Reason);
