namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>Names in a list of methods that are no methods but announce abilities.</summary>
internal static class KexNames
{
    /// <summary>Extension negotiation (RFC 8308 section 2.1).</summary>
    public const string ClientExtensions = "ext-info-c";

    public const string ServerExtensions = "ext-info-s";

    /// <summary>Strict key exchange, against Terrapin (OpenSSH PROTOCOL section 1.10).</summary>
    public const string ClientStrict = "kex-strict-c-v00@openssh.com";

    public const string ServerStrict = "kex-strict-s-v00@openssh.com";
}
