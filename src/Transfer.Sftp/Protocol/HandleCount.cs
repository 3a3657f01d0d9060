namespace Transfer.Sftp.Protocol;

/// <summary>
/// The number of open handles of a session, judged by its requests: a refused OPEN counts as open, so the count is never too low.
/// Thread-safe.
/// </summary>
internal sealed class HandleCount
{
    private readonly Lock _gate = new();
    private int _open;
    private bool _hadSeveral;

    /// <summary>
    /// Whether no handle is open and never two were open at once: after several, the order of their ends decides which number is free.
    /// </summary>
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
