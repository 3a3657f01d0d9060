namespace Transfer.Batch.Archive.Packing;

/// <summary>What one whole writing of an archive had of its plan's items; files may be others when it is written again.</summary>
/// <param name="Digest">What its receipt names it by.</param>
/// <param name="Items">In the plan's order.</param>
internal sealed record PackedWriting(byte[] Digest, IReadOnlyList<(PackOutcome Outcome, SourceStamp Stamp)> Items)
{
    /// <summary>As the plan stands now.</summary>
    public static PackedWriting Of(ArchivePlan plan, byte[] digest)
    {
        var items = new (PackOutcome, SourceStamp)[plan.Items.Count];
        for (var i = 0; i < items.Length; i++) items[i] = (plan.Items[i].Outcome, plan.Items[i].Stamp);
        return new PackedWriting(digest, items);
    }
}
