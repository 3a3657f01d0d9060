namespace Transfer.Testing.Ftp;

/// <summary>A command line that waits for its turn.</summary>
internal sealed class ControlCommand
{
    public required ParsedLine Line { get; init; }

    /// <summary>The line's place among the lines of the connection.</summary>
    public required long Sequence { get; init; }

    /// <summary>Whether bytes after this line were read together with it.</summary>
    public bool IsFollowed { get; init; }

    /// <summary>
    /// Set for commands that may change the stream itself (AUTH, CCC): reading stops after them until this completes with the next stream.
    /// </summary>
    public TaskCompletionSource<Stream>? NextStream { get; init; }
}
