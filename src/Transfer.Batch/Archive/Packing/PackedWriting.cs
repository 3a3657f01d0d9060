namespace Transfer.Batch.Archive.Packing;

/// <summary>The state of the plan's items in one complete writing of an archive; another writing may hold changed files.</summary>
/// <param name="Digest">The digest by which the receipt names the writing.</param>
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
