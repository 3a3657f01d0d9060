namespace Transfer.Testing.Server;

/// <summary>A command line as it waits for its turn.</summary>
internal sealed class ControlCommand
{
    public required ParsedLine Line { get; init; }

    /// <summary>Its place among the lines of the connection.</summary>
    public required long Sequence { get; init; }

    /// <summary>Bytes behind this line were read together with it.</summary>
    public bool IsFollowed { get; init; }

    /// <summary>
    /// Set for commands that may change the stream itself (AUTH, CCC): reading stops behind them until this says what to read on from.
    /// </summary>
    public TaskCompletionSource<Stream>? NextStream { get; init; }
}
