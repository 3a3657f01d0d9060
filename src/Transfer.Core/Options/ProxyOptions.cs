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

    /// <summary>The part of the log-in that the proxy's protocol cannot express, in words and without a value; null: none.</summary>
    public string? Inexpressible => Credential is not { } login ? null
        // Encoded characters could do no harm here, but the proxy decodes them.
        : login.UserName.Any(char.IsControl) || login.Password.Any(char.IsControl) ? "a control character in its log-in"
        : Kind == ProxyKind.HttpConnect ? InexpressibleByHttp(login) : InexpressibleBySocks(login);

    /// <summary>Refuses a log-in that the proxy's protocol cannot express.</summary>
    /// <exception cref="ArgumentException">The message has the rule, and not the log-in.</exception>
    internal void Validate()
    {
        var rules = new OptionRules(nameof(ProxyOptions));
        rules.Defined(Kind);
        rules.Require(Inexpressible is null, nameof(Credential), $"must not have {Inexpressible}");
    }

    private static string? InexpressibleByHttp(TransferCredential login) =>
        login.UserName.Contains(':', StringComparison.Ordinal) ? "a colon in its user name (HTTP, RFC 7617)" : null;

    private static string? InexpressibleBySocks(TransferCredential login) =>
        Encoding.UTF8.GetByteCount(login.UserName) is > 0 and <= MaxSocksField
        && Encoding.UTF8.GetByteCount(login.Password) <= MaxSocksField
        ? null : "no user name, or more than 255 bytes of user name or password (SOCKS, RFC 1929)";
}
