using System.Globalization;

namespace Transfer.Sftp;

/// <summary>
/// A host to go through (OpenSSH's ProxyJump). Logged in to like any other, with the client's keys, agent and answers and a check of the
/// host key; never with the endpoint's password.
/// </summary>
public sealed record SshJumpHost
{
    /// <summary>Creates a jump host.</summary>
    /// <param name="host">The host's name or address, IPv6 without brackets; an alias where a configuration is read.</param>
    /// <exception cref="ArgumentException">The host is empty.</exception>
    public SshJumpHost(string host)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        Host = host;
    }

    /// <summary>The host's name or address.</summary>
    public string Host { get; }

    /// <summary>The port. Null: the configuration's, else 22.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not from 1 to 65535.</exception>
    public int? Port
    {
        get;
        init => field = value is null or (> 0 and <= ushort.MaxValue) ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A port is from 1 to 65535.");
    }

    /// <summary>The log-in at the jump host; an empty password is none. Null: the configuration's user, else the local one.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>
    /// The trusted host keys of the jump host. Null: those of the client's <see cref="SftpOptions.HostKeys"/>, without their pins.
    /// </summary>
    public SshHostKeyOptions? HostKeys { get; init; }

    /// <summary>
    /// Reads <c>[user@]host[:port]</c>, with an IPv6 address in brackets where a port follows, or an <c>ssh:</c> URL of the same.
    /// </summary>
    /// <exception cref="ArgumentException">The text has another form. The message does not repeat the text.</exception>
    public static SshJumpHost Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var rest = text.Trim();
        if (rest.StartsWith("ssh://", StringComparison.OrdinalIgnoreCase)) rest = rest[6..].TrimEnd('/');
        var at = rest.LastIndexOf('@');
        var user = at < 0 ? null : rest[..at];
        var (host, port) = Split(rest[(at + 1)..]);
        if (user is "" || user?.Contains(':', StringComparison.Ordinal) == true || Uri.CheckHostName(host) == UriHostNameType.Unknown)
            throw Wrong(nameof(text));
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
