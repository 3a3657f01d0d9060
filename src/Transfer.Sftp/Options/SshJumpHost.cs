using System.Globalization;

namespace Transfer.Sftp;

/// <summary>
/// A host to go through (OpenSSH's ProxyJump). It is logged in to like any other, with the client's keys, agent and answers and a check of its own host key;
/// the endpoint's password never goes to it.
/// </summary>
public sealed record SshJumpHost
{
    /// <summary>Creates a jump host.</summary>
    /// <param name="host">Its name or address, IPv6 without brackets; an alias where a configuration is read.</param>
    /// <exception cref="ArgumentException">The host is empty.</exception>
    public SshJumpHost(string host)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        Host = host;
    }

    /// <summary>Its name or address.</summary>
    public string Host { get; }

    /// <summary>Its port. Null: the configuration's, else 22.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is none from 1 to 65535.</exception>
    public int? Port
    {
        get;
        init => field = value is null or (> 0 and <= ushort.MaxValue) ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "A port is from 1 to 65535.");
    }

    /// <summary>Its own log-in; an empty password is none. Null: the configuration's user, else the local one.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Which of its host keys are trusted. Null: as the client's <see cref="SftpOptions.HostKeys"/> say, without their pins.</summary>
    public SshHostKeyOptions? HostKeys { get; init; }

    /// <summary>Reads <c>[user@]host[:port]</c>, with an IPv6 address in brackets where a port follows, or an <c>ssh:</c> URL of the same.</summary>
    /// <exception cref="ArgumentException">It is none. The message does not repeat it.</exception>
    public static SshJumpHost Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var rest = text.Trim();
        if (rest.StartsWith("ssh://", StringComparison.OrdinalIgnoreCase)) rest = rest[6..].TrimEnd('/');
        var at = rest.LastIndexOf('@');
        var user = at < 0 ? null : rest[..at];
        var (host, port) = Split(rest[(at + 1)..]);
        if (user is "" || user?.Contains(':', StringComparison.Ordinal) == true || Uri.CheckHostName(host) == UriHostNameType.Unknown) throw Wrong(nameof(text));
        return new SshJumpHost(host)
        {
            Port = port is null ? null
                : ushort.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0 ? number
                : throw Wrong(nameof(text)),
            Credential = user is null ? null : new TransferCredential(user, string.Empty),
        };
    }

    private static (string Host, string? Port) Split(string text)
    {
        if (text.StartsWith('[') && text.IndexOf(']', StringComparison.Ordinal) is > 0 and var close)
            return (text[1..close], text.Length == close + 1 ? null : text[close + 1] == ':' ? text[(close + 2)..] : string.Empty);

        // Several colons without brackets are an IPv6 address and no port.
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        return colon < 0 || colon != text.LastIndexOf(':') ? (text, null) : (text[..colon], text[(colon + 1)..]);
    }

    private static ArgumentException Wrong(string name) => new("A jump host is [user@]host[:port].", name);
}
