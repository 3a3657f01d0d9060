namespace Transfer.Dialing;

/// <summary>The setting of a socket's congestion control.</summary>
/// <param name="Name">The algorithm to set; null: the system's default stays.</param>
/// <param name="Required">Whether the dial fails when the system refuses the algorithm.</param>
/// <param name="Reason">Why, for the log.</param>
internal readonly record struct CongestionDecision(string? Name, bool Required, string Reason);
