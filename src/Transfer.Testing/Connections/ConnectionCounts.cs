namespace Transfer.Testing.Connections;

/// <summary>Counts of connections, and the limits on them.</summary>
internal sealed class ConnectionCounts
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, int> _users = new(StringComparer.Ordinal);
    private readonly int _maximum;
    private readonly int _maximumPerUser;
    private int _data;
    private int _resumed;

    public ConnectionCounts(int maximum, int maximumPerUser)
    {
        _maximum = maximum;
        _maximumPerUser = maximumPerUser;
    }

    public int Current { get; private set; }

    public int Peak { get; private set; }

    public int Total { get; private set; }

    public int Data => Volatile.Read(ref _data);

    public int Resumed => Volatile.Read(ref _resumed);

    /// <summary>Gives a control connection its number, and counts it as open; false at one too many.</summary>
    public bool Open(out int number)
    {
        lock (_gate)
        {
            number = ++Total;
            if (_maximum > 0 && Current >= _maximum) return false;
            Peak = Math.Max(Peak, ++Current);
            return true;
        }
    }

    public void Close()
    {
        lock (_gate) Current--;
    }

    public bool LogIn(string user)
    {
        lock (_gate)
        {
            var sessions = _users.GetValueOrDefault(user);
            if (_maximumPerUser > 0 && sessions >= _maximumPerUser) return false;
            _users[user] = sessions + 1;
            return true;
        }
    }

    public void LogOut(string user)
    {
        lock (_gate) _users[user]--;
    }

    public void CountData(bool resumed)
    {
        Interlocked.Increment(ref _data);
        if (resumed) Interlocked.Increment(ref _resumed);
    }
}
