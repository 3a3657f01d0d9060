namespace Transfer;

/// <summary>
/// A server as a session found it: its software, the methods agreed with it, its extensions and limits, and the way in which each of its
/// abilities is used.
/// </summary>
public sealed record ServerReport
{
    /// <summary>The server's software by the name that the server sent, or null.</summary>
    public string? Server { get; init; }

    /// <summary>Facts about the server and the connection: log-in folder, methods of TLS or SSH, limits.</summary>
    public IReadOnlyList<ServerFact> Facts { get; init; } = [];

    /// <summary>The lines of the reply to FEAT, or the extensions of SFTP's VERSION with their data.</summary>
    public IReadOnlyList<string> Extensions { get; init; } = [];

    /// <summary>The abilities that servers have in several ways.</summary>
    public IReadOnlyList<ServerAbility> Abilities { get; init; } = [];

    /// <summary>The shortest round trip seen; null: none was measured.</summary>
    public TimeSpan? RoundTrip { get; init; }

    /// <summary>The shortest time from a dial to a session; null: not known.</summary>
    public TimeSpan? OpeningTime { get; init; }

    /// <summary>The most sessions at a time: of the options, or fewer where the server was seen to refuse more.</summary>
    public int? MostSessions { get; init; }
}
