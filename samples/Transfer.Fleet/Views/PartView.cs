namespace Transfer.Fleet;

/// <summary>A step as the page shows it.</summary>
/// <param name="Part">The step: see <see cref="PartKeys"/>.</param>
/// <param name="State">The state.</param>
/// <param name="Worker">The worker that runs the step, or ran it last; null: none has.</param>
/// <param name="Attempts">The runs that have begun.</param>
/// <param name="Percent">The progress of the run, 0 to 100; null: no run, or none known.</param>
/// <param name="Progress">The progress in words.</param>
/// <param name="Again">When the step runs again by itself; null: it waits for a free worker only, or not at all.</param>
/// <param name="CanRetry">Whether the step may be put in line again.</param>
/// <param name="Outcome">The outcome of the last run that ended.</param>
internal sealed record PartView(
    string Part, ViewState State, string? Worker, int Attempts, int? Percent, string? Progress, DateTimeOffset? Again, bool CanRetry,
    PartOutcome Outcome);
