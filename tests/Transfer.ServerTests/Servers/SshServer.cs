using Transfer.Sftp;

namespace Transfer.ServerTests.Servers;

/// <summary>A server that speaks SFTP, and a file of known hosts that knows it.</summary>
public abstract class SshServer(ServerVariant variant) : RealServer(variant)
{
    /// <summary>Every key of the server, under localhost and the address of its place.</summary>
    public string KnownHosts => Path.Combine(Folder, "known_hosts");

    protected override string Scheme => "sftp";

    public override TransferClient Client(Uri endpoint, Func<TransferClientOptions, TransferClientOptions>? change = null) =>
        new SftpTransferClient(endpoint, change is null ? Options() : (SftpOptions)change(Options()));

    /// <summary>A client whose SFTP options are changed.</summary>
    public SftpTransferClient SftpClient(Func<SftpOptions, SftpOptions> change, string host = "localhost") =>
        new(Url(host: host), change(Options()));

    /// <summary>The keys that its clients log in with, beside the password.</summary>
    protected virtual IReadOnlyList<SshIdentity> Identities => [];

    /// <summary>Writes <see cref="KnownHosts"/>.</summary>
    protected void Know(IEnumerable<string> keyFiles) => File.WriteAllLines(KnownHosts, keyFiles.Select(KnownHostLine));

    /// <summary>The line that knows a key, by its private key's file.</summary>
    public string KnownHostLine(string keyFile) =>
        $"[localhost]:{Port},[{Variant.Place.Address}]:{Port} {File.ReadAllText(keyFile + ".pub").Trim()}";

    private SftpOptions Options() => new()
    {
        Retry = SoonAgain,
        Credential = Credential,
        Identities = Identities,
        IdleTimeout = TimeSpan.FromSeconds(20),
        HostKeys = new SshHostKeyOptions { KnownHostsFiles = [KnownHosts] },
        Agent = new SshAgentOptions { Use = SshAgentUse.Never },
    };
}
