namespace Transfer.Replacing;

/// <summary>The result of a <see cref="Replacement"/>.</summary>
public sealed record ReplacementResult
{
    /// <summary>Why the target does not have the new content; null: success.</summary>
    public TransferException? Error { get; init; }

    /// <summary>Whether the new content is under the target's name.</summary>
    public bool IsDone => Error is null;

    /// <summary>
    /// After the failure of a temporary file: its present path, for deletion. Null: no such file, or one that has to stay.
    /// </summary>
    public string? Discard { get; init; }

    /// <summary>The path of a file that is still aside; null: none.</summary>
    public string? Aside { get; init; }
}
