using System.Text;

namespace Transfer.Sftp;

/// <summary>The options of an SFTP client beyond <see cref="TransferClientOptions"/>.</summary>
public sealed record SftpOptions : TransferClientOptions
{
    /// <summary>
    /// Private key files that are opened when a log-in needs them: of an encrypted one, a key that the agent holds is used without the
    /// passphrase, else <see cref="Interaction"/> is asked for that. Of the agent's keys only those in these files are offered, if there
    /// are any. Files that cannot be read are left out, with the reason in the log.
    /// </summary>
    public IReadOnlyList<string> IdentityFiles { get; init; } = [];

    /// <summary>Creates options with all defaults.</summary>
    public SftpOptions()
    {
    }

    /// <summary>Creates options with the values that all clients share.</summary>
    public SftpOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>Keys to log in with, in order. The client does not dispose of them.</summary>
    public IReadOnlyList<SshIdentity> Identities { get; init; } = [];

    /// <summary>The use of the ssh-agent. Keys of the agent are tried after <see cref="Identities"/>.</summary>
    public SshAgentOptions Agent { get; init; } = new();

    /// <summary>Which host keys are trusted.</summary>
    public SshHostKeyOptions HostKeys { get; init; } = new();

    /// <summary>
    /// Reads OpenSSH's configuration, in which the endpoint's host may be an alias. The values of these options and of the endpoint have
    /// precedence. Without <see cref="Identities"/> the keys are then the configuration's, else OpenSSH's defaults, read when first
    /// needed. Null: no configuration is read.
    /// </summary>
    public SshConfigOptions? Config { get; init; }

    /// <summary>
    /// The hosts to go through, in that order; the client's connections share them. Empty: none. Null: those of the configuration, if one
    /// is read.
    /// </summary>
    public IReadOnlyList<SshJumpHost>? Jump { get; init; }

    /// <summary>
    /// Answers the server's questions, for log-ins by more than a key or a password; supplies the password when none is set and the server
    /// takes one, and the passphrases of the key files that the configuration names. Null: no answers. Jump hosts have questions, too:
    /// <see cref="SshQuestions.Server"/> names the host.
    /// </summary>
    public SshInteraction? Interaction { get; init; }

    /// <summary>Which SSH algorithms are offered.</summary>
    public SshAlgorithms Algorithms { get; init; } = new();

    /// <summary>What is done with servers that differ from the usual.</summary>
    public SftpCompatibility Compatibility { get; init; } = new();

    /// <summary>The encoding of names. Null: UTF-8 that keeps bytes which are none (<see cref="NameEncoding"/>).</summary>
    public Encoding? Encoding { get; init; }

    /// <summary>
    /// The number of SSH connections that sessions are spread over; more are opened only when these are full. One connection carries no
    /// more than the system's send buffer a round trip, begins slowly, and slows down with each lost packet, however many its sessions.
    /// </summary>
    public int Connections { get; init; } = 16;

    /// <summary>
    /// The most sessions that share one SSH connection. OpenSSH allows 10 (MaxSessions). ProFTPD's mod_sftp mixes up the channels of a
    /// connection and gets one.
    /// </summary>
    public int SessionsPerConnection { get; init; } = 10;
}
