namespace Transfer.Fleet;

/// <summary>A plan as the page shows it.</summary>
/// <param name="Name">The name.</param>
/// <param name="From">The source.</param>
/// <param name="To">The target.</param>
/// <param name="Submitted">The time of the request.</param>
/// <param name="State"><see cref="ViewState.Done"/>: all steps are; else the state that matters most.</param>
/// <param name="Files">Files that were sent.</param>
/// <param name="Bytes">Bytes of those.</param>
/// <param name="Confirmed">Items that were at the target already.</param>
/// <param name="Deleted">Entries that were deleted.</param>
/// <param name="Failed">Items that failed, or could not be planned.</param>
/// <param name="PlannedFiles">Files of the plan.</param>
/// <param name="PlannedBytes">Bytes of those.</param>
/// <param name="Deletions">Entries of the plan that are to be deleted.</param>
/// <param name="Parts">The steps.</param>
internal sealed record PlanView(
    string Name, string From, string To, DateTimeOffset Submitted, ViewState State, long Files, long Bytes, long Confirmed, long Deleted,
    long Failed, long PlannedFiles, long PlannedBytes, long Deletions, IReadOnlyList<PartView> Parts)
{
    /// <summary>Returns the view of a plan.</summary>
    public static PlanView Of(FleetPlan plan, IReadOnlyList<PartView> parts) => new(
        plan.Name, $"{plan.From.Server}:{plan.From.Path}", $"{plan.To.Server}:{plan.To.Path}", plan.Submitted, StateOf(parts),
        parts.Sum(part => part.Outcome.Files), parts.Sum(part => part.Outcome.Bytes), parts.Sum(part => part.Outcome.Confirmed),
        parts.Sum(part => part.Outcome.Deleted), parts.Sum(part => part.Outcome.Failed), plan.Files, plan.Bytes, plan.Deletions, parts);

    private static ViewState StateOf(IReadOnlyList<PartView> parts) =>
        parts.All(part => part.State == ViewState.Done) ? ViewState.Done
        : parts.Any(part => part.State == ViewState.Running) ? ViewState.Running
        : parts.Any(part => part.State == ViewState.Lost) ? ViewState.Lost
        : parts.Any(part => part.State == ViewState.Waiting) ? ViewState.Waiting
        : parts.Any(part => part.State == ViewState.Failed) ? ViewState.Failed
        : ViewState.Idle;
}
