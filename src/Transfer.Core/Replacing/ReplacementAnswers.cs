namespace Transfer.Replacing;

/// <summary>The answers to a replacement's steps: of one kind, in order.</summary>
internal readonly record struct ReplacementAnswers(IReadOnlyList<RenameReply> Renames, IReadOnlyList<NameSight> Sights,
    TransferException? Refusal);
