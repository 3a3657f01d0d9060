namespace Transfer.Sftp.Keys.Config;

/// <summary>All keywords of ssh_config(5) up to OpenSSH 10.2, and additions of systems.</summary>
internal static class ConfigKeywords
{
    public static readonly IReadOnlyList<ConfigKeyword> All =
    [
        .. Of(ConfigUse.Obeyed,
            "Host Match Include IgnoreUnknown Tag HostName Port User HostKeyAlias UserKnownHostsFile GlobalKnownHostsFile IdentityFile "
            + "ProxyJump RekeyLimit"),
        .. Of(ConfigUse.Obeyed,
            "RevokedHostKeys HashKnownHosts UpdateHostKeys RequiredRSASize HostKeyAlgorithms CASignatureAlgorithms Ciphers MACs "
            + "KexAlgorithms", restricts: true),
        .. Of(ConfigUse.Obeyed,
            "PubkeyAuthentication PasswordAuthentication KbdInteractiveAuthentication PreferredAuthentications PubkeyAcceptedAlgorithms",
            restricts: true),
        .. Of(ConfigUse.Obeyed, "IdentitiesOnly IdentityAgent BatchMode AddressFamily BindAddress RefuseConnection", restricts: true),
        new("ChallengeResponseAuthentication", ConfigUse.Obeyed, true, "KbdInteractiveAuthentication"),
        new("DSAAuthentication", ConfigUse.Obeyed, true, "PubkeyAuthentication"),
        new("PubkeyAcceptedKeyTypes", ConfigUse.Obeyed, true, "PubkeyAcceptedAlgorithms"),
        .. Of(ConfigUse.Refused, "ProxyCommand"),
        .. Of(ConfigUse.Refused, "BindInterface CanonicalizeHostname KnownHostsCommand", restricts: true),
        .. Of(ConfigUse.WithoutEffect,
            "AddKeysToAgent CertificateFile PKCS11Provider SecurityKeyProvider UseKeychain EnableSSHKeysign HostbasedAuthentication "
            + "HostbasedAcceptedAlgorithms HostbasedKeyTypes"),
        .. Of(ConfigUse.WithoutEffect,
            "GSSAPIAuthentication GSSAPIClientIdentity GSSAPIDelegateCredentials GSSAPIKexAlgorithms GSSAPIKeyExchange "
            + "GSSAPIRenewalForcesRekey GSSAPIServerIdentity GSSAPITrustDns"),
        .. Of(ConfigUse.WithoutEffect,
            "StrictHostKeyChecking VerifyHostKeyDNS CheckHostIP NoHostAuthenticationForLocalhost FingerprintHash VisualHostKey "
            + "WarnWeakCrypto NumberOfPasswordPrompts"),
        .. Of(ConfigUse.WithoutEffect,
            "CanonicalDomains CanonicalizeFallbackLocal CanonicalizeMaxDots CanonicalizePermittedCNAMEs ProxyUseFdpass"),
        .. Of(ConfigUse.WithoutEffect,
            "ConnectTimeout ConnectionAttempts ServerAliveCountMax ServerAliveInterval TCPKeepAlive ChannelTimeout IPQoS Compression "
            + "VersionAddendum ObscureKeystrokeTiming"),
        .. Of(ConfigUse.WithoutEffect,
            "ControlMaster ControlPath ControlPersist ForwardAgent ForwardX11 ForwardX11Timeout ForwardX11Trusted XAuthLocation "
            + "LocalForward RemoteForward DynamicForward PermitRemoteOpen"),
        .. Of(ConfigUse.WithoutEffect,
            "ClearAllForwardings ExitOnForwardFailure GatewayPorts StreamLocalBindMask StreamLocalBindUnlink Tunnel TunnelDevice"),
        .. Of(ConfigUse.WithoutEffect,
            "EscapeChar EnableEscapeCommandline ForkAfterAuthentication LocalCommand PermitLocalCommand RemoteCommand RequestTTY "
            + "SessionType StdinNull SendEnv SetEnv LogLevel LogVerbose SyslogFacility"),
    ];

    private static readonly Dictionary<string, ConfigKeyword> ByName = All.ToDictionary(keyword => keyword.Name,
        StringComparer.OrdinalIgnoreCase);

    /// <summary>The keyword of that name in any case; null when OpenSSH has none.</summary>
    public static ConfigKeyword? Find(string name) => ByName.GetValueOrDefault(name);

    private static IEnumerable<ConfigKeyword> Of(ConfigUse use, string names, bool restricts = false) =>
        names.Split(' ').Select(name => new ConfigKeyword(name, use, restricts));
}
