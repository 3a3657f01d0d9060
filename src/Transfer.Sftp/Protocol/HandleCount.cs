namespace Transfer.Sftp.Protocol;

/// <summary>How many handles a session has, as far as requests tell: one that was refused counts as open, so that the count is never too low. Thread-safe.</summary>
internal sealed class HandleCount
{
    private readonly Lock _gate = new();
    private int _open;
    private bool _hadSeveral;

    /// <summary>None is open, and there never was more than one at a time: what order several ended in decides which number is free.</summary>
    public bool IsNextFirst
    {
        get { lock (_gate) return _open == 0 && !_hadSeveral; }
    }

    public void Opening()
    {
        lock (_gate) _hadSeveral |= ++_open > 1;
    }

    public void Closing()
    {
        lock (_gate) _open--;
    }
}
