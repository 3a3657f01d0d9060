namespace Transfer.Testing.Tls;

/// <summary>The TLS 1.2 sessions set up on one control connection and its data connections, by ticket and id.</summary>
internal sealed class TlsSessions
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _known = [];

    public void Add(ReadOnlySpan<byte> key)
    {
        if (key.IsEmpty) return;
        lock (_gate) _known.Add(Convert.ToHexString(key));
    }

    public bool Contains(ReadOnlySpan<byte> key)
    {
        lock (_gate) return _known.Contains(Convert.ToHexString(key));
    }
}
