using System.Text;

namespace Transfer.Sftp;

/// <summary>What an SFTP client can be told beyond <see cref="TransferClientOptions"/>.</summary>
public sealed record SftpOptions : TransferClientOptions
{
    /// <summary>The encoding of names. Null: UTF-8 that keeps bytes which are none (<see cref="NameEncoding"/>).</summary>
    public Encoding? Encoding { get; init; }

    /// <summary>Sessions that share one SSH connection before a further one is opened. OpenSSH allows 10 (MaxSessions).</summary>
    public int SessionsPerConnection { get; init; } = 10;

    /// <summary>Has the server write each file to its disk before it is published (fsync@openssh.com), where it can. Slower, and safe against a server that loses power.</summary>
    public bool FlushToDisk { get; init; }
}
