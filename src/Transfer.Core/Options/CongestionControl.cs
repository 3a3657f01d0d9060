namespace Transfer;

/// <summary>The congestion control of sending sockets on Linux; elsewhere without effect.</summary>
public readonly record struct CongestionControl
{
    private readonly string? _name;

    private CongestionControl(string name) => _name = name;

    /// <summary>bbr for uploads over long paths where the system allows bbr, else the system's default.</summary>
    public static CongestionControl Auto => default;

    /// <summary>Always the system's default.</summary>
    public static CongestionControl Default => new("default");

    /// <summary>
    /// A congestion control by name, such as <c>bbr</c> or <c>cubic</c>; connecting fails where the system refuses the name.
    /// </summary>
    public static CongestionControl Named(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return new CongestionControl(name);
    }

    /// <summary><c>auto</c>, <c>default</c> or the name.</summary>
    public override string ToString() => _name ?? "auto";
}
