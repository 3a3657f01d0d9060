namespace Transfer.ServerTests.Fleet;

/// <summary>A plan, as the page has it.</summary>
internal sealed record PlanState(
    string Name, string State, long Files, long Bytes, long Confirmed, long Deleted, long Failed, long PlannedFiles, long Deletions,
    PartState[] Parts)
{
    /// <summary>The parts, without the planning and the last phase.</summary>
    public IEnumerable<PartState> Applied => Parts.Where(part => part.Part.StartsWith("part-", StringComparison.Ordinal));

    public override string ToString() => $"{Name}: {State}\n{string.Join('\n', Parts.AsEnumerable())}";
}
