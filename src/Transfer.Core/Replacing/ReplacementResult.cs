namespace Transfer.Replacing;

/// <summary>How a <see cref="Replacement"/> ended.</summary>
public sealed record ReplacementResult
{
    /// <summary>Why the target does not have the new content; null: it has.</summary>
    public TransferException? Error { get; init; }

    /// <summary>The new content is under the target's name.</summary>
    public bool IsDone => Error is null;

    /// <summary>Failed, of a temporary file: the name it has now, under which it may be deleted. Null: there is none, or it has to stay.</summary>
    public string? Discard { get; init; }

    /// <summary>A file that was moved aside and is still there; null: there is none.</summary>
    public string? Aside { get; init; }
}
