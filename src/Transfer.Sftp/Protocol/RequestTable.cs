namespace Transfer.Sftp.Protocol;

/// <summary>
/// The requests under way, by id. An id is a place in the table and the number of its uses, so that a late or doubled reply finds no
/// request. Not thread-safe.
/// </summary>
internal sealed class RequestTable
{
    private const int PlaceBits = 16;
    private const int MostPlaces = 1 << PlaceBits;
    private const long NotExpected = long.MaxValue; // in place of an order

    private SftpRequest?[] _requests = new SftpRequest?[64];
    private ushort[] _uses = new ushort[64];
    private long[] _order = new long[64];
    private readonly Stack<int> _free = new();
    private int _places;
    private long _added;
    private long _latest; // of the requests that were taken, the one added last

    public uint Add(SftpRequest request)
    {
        if (!_free.TryPop(out var place))
        {
            if (_places == MostPlaces) throw new InvalidOperationException("Too many requests are under way.");
            if (_places == _requests.Length)
            {
                Array.Resize(ref _requests, _places * 2);
                Array.Resize(ref _uses, _places * 2);
                Array.Resize(ref _order, _places * 2);
            }
            place = _places++;
        }
        _requests[place] = request;
        _order[place] = ++_added;
        return (uint)(++_uses[place] << PlaceBits | place);
    }

    /// <summary>Removes and returns the request with an id; null when there is none.</summary>
    /// <param name="id">The id.</param>
    /// <param name="isOvertaken">Whether a request that was added later was taken before.</param>
    /// <param name="isExpected">Whether the reply is expected: see <see cref="TryDisregard"/>.</param>
    public SftpRequest? Take(uint id, out bool isOvertaken, out bool isExpected)
    {
        (isOvertaken, isExpected) = (false, true);
        var place = (int)(id & (MostPlaces - 1));
        if (place >= _places || _uses[place] != id >> PlaceBits || _requests[place] is not { } request) return null;
        _requests[place] = null;
        _free.Push(place);
        isOvertaken = _order[place] < _latest;
        isExpected = _order[place] != NotExpected;
        if (isExpected) _latest = Math.Max(_latest, _order[place]);
        return request;
    }

    /// <summary>Expects the reply to a request no more, which stays known by its id. False: the request is not under way.</summary>
    public bool TryDisregard(in PendingReply reply)
    {
        for (var place = 0; place < _places; place++)
        {
            if (_requests[place] is not { } request || !reply.IsOf(request)) continue;
            _order[place] = NotExpected;
            return true;
        }
        return false;
    }

    /// <summary>The request under way that was added first, of those with an expected reply; null: there is none.</summary>
    /// <param name="isOvertaken">Whether a request that was added later was taken before.</param>
    public SftpRequest? FindOldest(out bool isOvertaken)
    {
        var oldest = -1;
        for (var place = 0; place < _places; place++)
        {
            if (_requests[place] is null || _order[place] == NotExpected) continue;
            if (oldest < 0 || _order[place] < _order[oldest]) oldest = place;
        }
        isOvertaken = oldest >= 0 && _order[oldest] < _latest;
        return oldest < 0 ? null : _requests[oldest];
    }

    public void Clear(List<SftpRequest> into)
    {
        foreach (var request in _requests)
        {
            if (request is not null) into.Add(request);
        }
        Array.Clear(_requests);
        _places = 0;
        _free.Clear();
    }
}
