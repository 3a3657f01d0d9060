namespace Transfer.Engine.Trees;

/// <summary>What a folder's last listing in a <see cref="TreePass"/> may lack.</summary>
/// <param name="Gap">Why entries are missing; null: the listing is complete.</param>
/// <param name="Named">The paths in a listing with a gap: a further visit omits these.</param>
/// <param name="MayHaveMore">Whether the listing has a gap and named new entries: once these are gone, another may name more.</param>
/// <param name="MayLack">Whether entries may be missing without notice.</param>
internal sealed record PassGaps(TransferException? Gap, HashSet<string>? Named, bool MayHaveMore, bool MayLack)
{
    /// <summary>Nothing.</summary>
    public static PassGaps None { get; } = new(null, null, false, false);
}
