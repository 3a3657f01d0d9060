namespace Transfer.Dialing;

/// <summary>What to do with one of a socket's buffers.</summary>
/// <param name="Size">Bytes to set; null: leave it to the system.</param>
/// <param name="Least">Bytes the system must report afterwards for setting to have been right; 0: any.</param>
/// <param name="Required">The dial fails when the system refuses the size altogether.</param>
/// <param name="Grows">The system's autotuning goes on from there. Linux only.</param>
/// <param name="Reason">Why, for the log.</param>
internal readonly record struct BufferDecision(int? Size, long Least, bool Required, bool Grows, string Reason)
{
    /// <summary>Leave the buffer to the system.</summary>
    public static BufferDecision Leave(string reason) => new(null, 0, Required: false, Grows: false, reason);

    /// <summary>Set it because that gives more.</summary>
    public static BufferDecision Set(int size, long least, string reason) => new(size, least, Required: false, Grows: false, reason);

    /// <summary>Set it for autotuning to begin at.</summary>
    public static BufferDecision Begin(int size, string reason) => new(size, 0, Required: false, Grows: true, reason);

    /// <summary>Set it because the caller wants exactly that.</summary>
    public static BufferDecision Obey(int size) => new(size, 0, Required: true, Grows: false, "the options say so");
}
