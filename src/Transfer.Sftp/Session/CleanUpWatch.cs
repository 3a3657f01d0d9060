namespace Transfer.Sftp.Session;

/// <summary>
/// Bounds the clean-up after an abort (CLOSE, REMOVE): ends the session when the server falls silent, or answers for too long. Other
/// sessions then delete the unfinished files.
/// </summary>
internal sealed class CleanUpWatch : IDisposable
{
    /// <summary>The longest clean-up.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(5);

    /// <summary>The shortest silence that ends the session; four round trips where these take longer.</summary>
    public static readonly TimeSpan ShortestSilence = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan Interval = ShortestSilence / 4;

    private readonly SftpSessionContext _context;
    private readonly TimeProvider _time;
    private readonly TimeSpan _silence;
    private readonly long _begun;
    private readonly ITimer _timer;

    /// <summary>Begins with the abort.</summary>
    public CleanUpWatch(SftpSessionContext context)
    {
        _context = context;
        _time = context.Options.TimeProvider;
        var answer = context.Engine.RoundTrip * 4;
        _silence = ShortestSilence > answer ? ShortestSilence : answer;
        _begun = _time.GetTimestamp();
        _timer = _time.CreateTimer(static self => ((CleanUpWatch)self!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(Interval, Timeout.InfiniteTimeSpan);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        // A reply that came before the abort says nothing of the server's state after it.
        var heard = Math.Max(_begun, _context.Engine.HeardAt);
        if (_time.GetElapsedTime(heard) < _silence && _time.GetElapsedTime(_begun) < Longest)
        {
            _timer.Change(Interval, Timeout.InfiniteTimeSpan);
            return;
        }
        _context.Engine.Fail(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange."));
    }
}
