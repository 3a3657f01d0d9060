using Transfer.Sftp.Protocol;

namespace Transfer.Testing.Sftp;

/// <summary>The handlers of requests.</summary>
internal static class SftpHandlers
{
    /// <summary>Extensions and their versions, as SSH_FXP_VERSION names them.</summary>
    public static readonly IReadOnlyList<(string Name, string Version)> Extensions =
    [
        (SftpExtension.PosixRename, "1"),
        (SftpExtension.StatVfs, "2"),
        (SftpExtension.HardLink, "1"),
        (SftpExtension.FSync, "1"),
        (SftpExtension.Limits, "1"),
        (SftpExtension.CopyData, "1"),
    ];

    /// <summary>Returns the handler of a request, or null.</summary>
    public static SftpHandler? Find(SftpRequest request) => request.Type switch
    {
        SftpPacketType.Open => FileRequests.OpenAsync,
        SftpPacketType.Close => FileRequests.CloseAsync,
        SftpPacketType.Read => FileRequests.ReadAsync,
        SftpPacketType.Write => FileRequests.WriteAsync,
        SftpPacketType.LStat => AttributeRequests.LStatAsync,
        SftpPacketType.FStat => AttributeRequests.FStatAsync,
        SftpPacketType.SetStat => AttributeRequests.SetStatAsync,
        SftpPacketType.FSetStat => AttributeRequests.FSetStatAsync,
        SftpPacketType.OpenDir => NameRequests.OpenDirectoryAsync,
        SftpPacketType.ReadDir => NameRequests.ReadDirectoryAsync,
        SftpPacketType.Remove => NameRequests.RemoveAsync,
        SftpPacketType.MkDir => NameRequests.MakeDirectoryAsync,
        SftpPacketType.RmDir => NameRequests.RemoveDirectoryAsync,
        SftpPacketType.RealPath => NameRequests.RealPathAsync,
        SftpPacketType.Stat => AttributeRequests.StatAsync,
        SftpPacketType.Rename => NameRequests.RenameAsync,
        SftpPacketType.ReadLink => NameRequests.ReadLinkAsync,
        SftpPacketType.SymLink => NameRequests.SymbolicLinkAsync,
        SftpPacketType.Extended => FindExtension(request.Name),
        _ => null,
    };

    private static SftpHandler? FindExtension(string name) => name switch
    {
        SftpExtension.PosixRename => NameRequests.PosixRenameAsync,
        SftpExtension.HardLink => NameRequests.HardLinkAsync,
        SftpExtension.StatVfs => ServerRequests.StatVfsAsync,
        SftpExtension.FSync => FileRequests.SyncAsync,
        SftpExtension.Limits => ServerRequests.LimitsAsync,
        SftpExtension.CopyData => FileRequests.CopyAsync,
        _ => null,
    };
}
