namespace Transfer.Engine;

/// <summary>How many workers a client's scheduler has, and in which state they are. Called under the scheduler's lock.</summary>
internal sealed class Crew
{
    private readonly int _most;

    /// <param name="most">Never more.</param>
    public Crew(int most) => _most = Cap = most;

    /// <summary>All of them.</summary>
    public int Alive { get; private set; }

    /// <summary>Those that have no session yet.</summary>
    public int Coming { get; private set; }

    /// <summary>Sessions on their way back because somebody waits for one.</summary>
    public int Yielding { get; set; }

    /// <summary>Sessions on their way back because there are more than are allowed.</summary>
    public int Leaving { get; set; }

    /// <summary>Never more than these: one fewer for each that no session could be opened for, as long as others have one.</summary>
    public int Cap { get; private set; }

    /// <summary>A worker begins, without a session.</summary>
    public void Begin()
    {
        Alive++;
        Coming++;
    }

    /// <summary>A worker has got a session.</summary>
    public void Arrive() => Coming--;

    /// <summary>A worker has given its session back.</summary>
    public void GiveBack(bool yielded, bool leaves)
    {
        Coming++;
        if (yielded) Yielding--;
        if (leaves) Leaving--;
    }

    /// <summary>No session could be opened for a worker. True: there is no other worker.</summary>
    public bool Fail(int allowed)
    {
        Cap = Math.Max(1, Math.Min(Cap, Math.Max(allowed, Alive)) - 1);
        return Alive == 1;
    }

    /// <summary>A worker without a session ends.</summary>
    public void End()
    {
        Coming--;
        // What was refused to these may be given to the next ones.
        if (--Alive == 0) Cap = _most;
    }
}
