namespace Transfer.Dialing;

/// <summary>The setting of one of a socket's buffers.</summary>
/// <param name="Size">Bytes to set; null: the system chooses.</param>
/// <param name="Least">Bytes the system must report afterwards for setting to have been right; 0: any.</param>
/// <param name="Required">Whether the dial fails when the system refuses the size altogether.</param>
/// <param name="Grows">Whether the system's autotuning goes on from the size. Linux only.</param>
/// <param name="Reason">Why, for the log.</param>
internal readonly record struct BufferDecision(int? Size, long Least, bool Required, bool Grows, string Reason)
{
    /// <summary>Leaves the buffer to the system.</summary>
    public static BufferDecision KeepDefault(string reason) => new(null, 0, Required: false, Grows: false, reason);

    /// <summary>Sets the buffer because that gives more.</summary>
    public static BufferDecision Set(int size, long least, string reason) => new(size, least, Required: false, Grows: false, reason);

    /// <summary>Sets the buffer as the start of autotuning.</summary>
    public static BufferDecision StartAutotuningAt(int size, string reason) => new(size, 0, Required: false, Grows: true, reason);

    /// <summary>Sets the buffer because the caller wants exactly that size.</summary>
    public static BufferDecision UseOption(int size) => new(size, 0, Required: true, Grows: false, "the options say so");
}
