namespace Transfer.Sftp.Ssh.Settings;

/// <summary>What the log-ins to one host have shown, for later connections of the same client. Thread-safe.</summary>
internal sealed class LogInMemory
{
    private readonly Lock _gate = new();
    private ISshLink? _holder;
    private IReadOnlyList<string>? _offered;
    private string? _typedPassword;
    private string? _banner;

    /// <summary>True while a connection is open whose log-in took answers that count once: another log-in would need new ones.</summary>
    public bool IsHeld
    {
        get
        {
            lock (_gate) return _holder is { Failure: null };
        }
    }

    /// <summary>The methods that the host named in its first refusal; null before one. A method that is not among them would be a failed log-in at every connection.</summary>
    public IReadOnlyList<string>? Offered
    {
        get
        {
            lock (_gate) return _offered;
        }
        set
        {
            lock (_gate) _offered = value;
        }
    }

    /// <summary>A password that a person typed for the password method (RFC 4252 section 8) and the host accepted; null: none. Answers to a host's questions are never kept.</summary>
    public string? TypedPassword
    {
        get
        {
            lock (_gate) return _typedPassword;
        }
        set
        {
            lock (_gate) _typedPassword = value;
        }
    }

    /// <summary>The connection's log-in took answers that count once.</summary>
    public void Hold(ISshLink connection)
    {
        lock (_gate) _holder = connection;
    }

    /// <summary>True when the host has not said this before.</summary>
    public bool IsNewBanner(string banner)
    {
        lock (_gate)
        {
            if (_banner == banner) return false;
            _banner = banner;
            return true;
        }
    }
}
