using System.Text;

namespace Transfer;

/// <summary>A proxy for all connections.</summary>
public sealed record ProxyOptions
{
    private const int MaxSocksField = 255;

    /// <summary>The protocol of the proxy.</summary>
    public required ProxyKind Kind { get; init; }

    /// <summary>The host name or address.</summary>
    public required string Host { get; init; }

    /// <summary>The port.</summary>
    public required int Port { get; init; }

    /// <summary>
    /// The log-in, if the proxy requires one. Without control characters; for HTTP a user name without a colon (RFC 7617 section 2), for
    /// SOCKS 1 to 255 bytes of user name and 255 bytes of password at most (RFC 1929 section 2).
    /// </summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Refuses a log-in that the proxy's protocol cannot express.</summary>
    /// <exception cref="ArgumentException">The message has the rule, and not the log-in.</exception>
    internal void Validate()
    {
        var rules = new OptionRules(nameof(ProxyOptions));
        rules.Defined(Kind);
        if (Credential is not { } login) return;
        // Encoded characters could do no harm here, but the proxy decodes them.
        rules.Require(!login.UserName.Any(char.IsControl) && !login.Password.Any(char.IsControl), nameof(Credential),
            "must not have control characters");
        if (Kind == ProxyKind.HttpConnect)
        {
            rules.Require(!login.UserName.Contains(':', StringComparison.Ordinal), nameof(Credential),
                "must not have a colon in the user name of an HTTP proxy");
            return;
        }
        rules.Require(Encoding.UTF8.GetByteCount(login.UserName) is > 0 and <= MaxSocksField
            && Encoding.UTF8.GetByteCount(login.Password) <= MaxSocksField, nameof(Credential),
            "must have 1 to 255 bytes of user name, and 255 bytes of password at most, for SOCKS");
    }
}
