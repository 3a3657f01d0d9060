namespace Transfer.Ftp.Protocol;

/// <summary>A TargetHost string that no other open control connection of this process uses. Given back when disposed.</summary>
internal sealed class TlsTargetHost : IDisposable
{
    private Action? _giveBack;

    internal TlsTargetHost(string name, bool isExclusive, bool isSynthetic, Action? giveBack)
    {
        Name = name;
        IsExclusive = isExclusive;
        IsSynthetic = isSynthetic;
        _giveBack = giveBack;
    }

    /// <summary>The name for the TLS layer; also the server name indication.</summary>
    public string Name { get; }

    /// <summary>
    /// Whether only this connection uses the name. False (none was left, or the server refuses synthetic ones): sessions must not be
    /// reused.
    /// </summary>
    public bool IsExclusive { get; }

    /// <summary>Whether the name is invented, because the server is addressed by IP, for which TLS layers keep no sessions.</summary>
    public bool IsSynthetic { get; }

    public void Dispose() => Interlocked.Exchange(ref _giveBack, null)?.Invoke();
}
