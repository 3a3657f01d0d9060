namespace Transfer.Sftp.Ssh.Settings;

/// <summary>Results of the log-ins to one host, for later connections of the same client. Thread-safe.</summary>
internal sealed class LogInMemory
{
    private readonly Lock _gate = new();
    private ISshLink? _holder;
    private IReadOnlyList<string>? _offered;
    private string? _typedPassword;
    private string? _banner;

    /// <summary>True while a connection is open whose log-in took one-time answers: another log-in would need new ones.</summary>
    public bool IsHeld
    {
        get
        {
            lock (_gate) return _holder is { Failure: null };
        }
    }

    /// <summary>
    /// The methods of the host's first refusal; null before one. Any other method would be a failed log-in at every connection.
    /// </summary>
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

    /// <summary>
    /// A password that a person typed for the password method (RFC 4252 section 8) and the host accepted; null: none. Answers to a host's
    /// questions are never kept.
    /// </summary>
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

    /// <summary>Notes that the connection's log-in took one-time answers.</summary>
    public void Hold(ISshLink connection)
    {
        lock (_gate) _holder = connection;
    }

    /// <summary>True when the host has not sent this banner before.</summary>
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
