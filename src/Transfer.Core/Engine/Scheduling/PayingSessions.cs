using Transfer.Engine.Files;
using Transfer.Pooling;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The sessions that the known work of a client's jobs pays for, where no job's options name a number. Members named
/// <c>…Locked</c> are called under the scheduler's lock.
/// </summary>
internal sealed class PayingSessions
{
    // Up to this length on average the files are the work, and above it their bytes: for these a connection of its own carries more.
    private const long SmallFile = 256 << 10;

    private readonly JobBoard<Dispatcher> _board;
    private readonly SessionPool _pool;
    private readonly Func<SessionTraits> _traits;

    /// <param name="board">The jobs.</param>
    /// <param name="pool">The pool, which has measured the openings.</param>
    /// <param name="traits">The traits of the protocol.</param>
    public PayingSessions(JobBoard<Dispatcher> board, SessionPool pool, Func<SessionTraits> traits) =>
        (_board, _pool, _traits) = (board, pool, traits);

    /// <summary>The cost of a log-in.</summary>
    public SessionCost LogIn => SessionCost.OfLogIn(_traits(), _pool.LeastOpeningTime, _pool.RoundTrip);

    /// <summary>The number of sessions that pay; those that are open have been paid.</summary>
    /// <param name="most">The upper bound.</param>
    public int CountLocked(int most)
    {
        var open = _pool.Expected;
        if (open >= most) return most;
        var (files, bytes) = _board.SharedWork;
        var (traits, cost) = (_traits(), LogIn);
        if (traits.SharesLogIns && AreSmall(files, bytes)) cost = cost.OfChannel();
        return Math.Max(open, SessionWorth.ForFiles(cost, traits.FilesAtOnce, files, bytes, most));
    }

    /// <summary>
    /// The number of log-ins that pay where small files are the work: further sessions share these. Else a session has its own.
    /// </summary>
    public int LogInsLocked
    {
        get
        {
            var (files, bytes) = _board.SharedWork;
            return AreSmallLocked
                ? SessionWorth.ForFiles(LogIn, _traits().FilesAtOnce, files, bytes, int.MaxValue) : int.MaxValue;
        }
    }

    /// <summary>Whether small files are the work.</summary>
    public bool AreSmallLocked => _board.SharedWork is var (files, bytes) && AreSmall(files, bytes) && _board.Dividing.Count == 0;

    private static bool AreSmall(long files, long bytes) => files > 0 && bytes <= files * SmallFile;
}
