namespace Transfer.Sessions;

/// <summary>
/// The begin and the end of one opening of a session, in the order of all openings of the process. The pool marks an opening when it is
/// decided, and as ended when its failure is recorded: in between further openings may begin, late because the machine is busy, and would
/// try refused credentials again. The mark goes with the opening through the provider's code, which need not know of it.
/// </summary>
internal sealed class OpeningMark
{
    private static readonly AsyncLocal<OpeningMark?> Ambient = new();
    private static long _latest;

    private readonly long _began = Interlocked.Increment(ref _latest);
    private long _ended = long.MaxValue;

    /// <summary>The opening of which the present call is a part; null: none of a pool.</summary>
    public static OpeningMark? Current
    {
        get => Ambient.Value;
        set => Ambient.Value = value;
    }

    /// <summary>
    /// The failure of the last dial, after which the provider may wait and dial again: the reason for a caller that waits no longer.
    /// </summary>
    public TransferConnectionException? Failure { get; set; }

    /// <summary>Marks the end. Only the first end counts.</summary>
    public void End() => Interlocked.CompareExchange(ref _ended, Interlocked.Increment(ref _latest), long.MaxValue);

    /// <summary>Whether this opening began when another one had not ended.</summary>
    public bool BeganBeforeEndOf(OpeningMark other) => _began < Volatile.Read(ref other._ended);
}
