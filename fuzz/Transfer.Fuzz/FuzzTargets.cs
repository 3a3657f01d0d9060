using Transfer.Fuzz.Targets;

namespace Transfer.Fuzz;

/// <summary>All targets, one for each format that comes from outside.</summary>
internal static class FuzzTargets
{
    private static readonly TransferError[] Wire = [TransferError.Protocol, TransferError.Unsupported];
    private static readonly TransferError[] Archive = [TransferError.Protocol, TransferError.Unsupported, TransferError.Integrity,
        TransferError.Auth];

    public static readonly IReadOnlyList<FuzzTarget> All =
    [
        new("ftp-replies", FtpReplies.Read, Wire),
        new("ftp-features", FtpReplies.ReadFeatures, Wire),
        new("ftp-list", FtpListings.ReadList, Wire),
        new("ftp-mlsd", FtpListings.ReadMlsd, Wire),
        new("ssh-packets", SshMessages.ReadPackets, Wire),
        new("ssh-kex", SshMessages.ReadKeyExchange, Wire),
        new("ssh-userauth", SshMessages.ReadUserAuth, Wire),
        new("ssh-keys", SshFiles.ReadKeys, [.. Wire, TransferError.Auth]),
        new("ssh-known-hosts", SshFiles.ReadKnownHosts, [TransferError.HostKey]),
        new("ssh-revoked-keys", SshFiles.ReadRevocations, [.. Wire, TransferError.HostKey]),
        new("ssh-config", SshFiles.ReadConfig, [.. Wire, TransferError.Denied]),
        new("sftp-packets", SftpPackets.Read, Wire),
        new("batch-archive", BatchArchives.ReadArchive, Archive, Room: 64 << 20),
        new("batch-tar", BatchArchives.ReadTar, Archive),
        new("batch-link", BatchLinks.Read, Wire),
        new("batch-spool", BatchSpools.Read, Archive),
        new("journal", Journals.Read, []),
    ];

    public static FuzzTarget? Find(string name) => All.FirstOrDefault(target => target.Name == name);
}
