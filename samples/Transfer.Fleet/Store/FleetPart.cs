namespace Transfer.Fleet;

/// <summary>A step of a plan, as the last run of it wrote.</summary>
/// <param name="Plan">The plan.</param>
/// <param name="Part">The step: see <see cref="PartKeys"/>.</param>
/// <param name="State">The state.</param>
/// <param name="Attempts">The runs that have begun.</param>
/// <param name="Worker">The worker of the last run; null: none has begun.</param>
/// <param name="Firing">The firing of the last run in Quartz.</param>
/// <param name="Outcome">The outcome.</param>
internal sealed record FleetPart(
    string Plan, string Part, PartState State, int Attempts, string? Worker, string? Firing, PartOutcome Outcome);
