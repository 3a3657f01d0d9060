using System.Globalization;

namespace Transfer.Wan.Servers;

/// <summary>All that a client must know of a server.</summary>
internal sealed record ServerAccess
{
    /// <summary>The server's name in the records: <c>vsftpd</c>.</summary>
    public required string Name { get; init; }

    public required Protocol Protocol { get; init; }

    public required string Host { get; init; }

    public required int Port { get; init; }

    public string User { get; init; } = string.Empty;

    public string Password { get; init; } = string.Empty;

    /// <summary>The served folder on this machine's disk.</summary>
    public required string Root { get; init; }

    /// <summary>The served folder in the user's paths; empty: <c>/</c>.</summary>
    public string Home { get; init; } = string.Empty;

    /// <summary>SSH: the private key that it accepts.</summary>
    public string Identity { get; init; } = string.Empty;

    /// <summary>SSH: its key.</summary>
    public string KnownHosts { get; init; } = string.Empty;

    public string HostAndPort => string.Create(CultureInfo.InvariantCulture, $"{Host}:{Port}");
}
