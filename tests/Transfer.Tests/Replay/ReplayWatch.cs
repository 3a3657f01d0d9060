namespace Transfer.Tests.Replay;

/// <summary>
/// A thread that ends the process where one seed takes far too long: its work spins or blocks, and nothing else can say so.
/// </summary>
internal sealed class ReplayWatch : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly ManualResetEventSlim _ended = new();
    private readonly Thread _thread;
    private int _seed;
    private int _runs;

    public ReplayWatch(int seed)
    {
        _seed = seed;
        _thread = new Thread(Watch) { IsBackground = true, Name = "Replay watch" };
        _thread.Start();
    }

    /// <summary>A run begins.</summary>
    public void Begin(int seed)
    {
        Volatile.Write(ref _seed, seed);
        Interlocked.Increment(ref _runs);
    }

    public void Dispose()
    {
        _ended.Set();
        _thread.Join();
        _ended.Dispose();
    }

    private void Watch()
    {
        for (var seen = -1; !_ended.Wait(Patience);)
        {
            var runs = Volatile.Read(ref _runs);
            if (runs == seen)
            {
                Console.Out.WriteLine(
                    $"{Volatile.Read(ref _seed)}\t\tOne piece of work does not end: it spins, or blocks the only thread.");
                Environment.Exit(1);
            }
            seen = runs;
        }
    }
}
