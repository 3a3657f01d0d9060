using Microsoft.Extensions.Logging;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>Logs packets by name, at Trace: requests with the path or extension that they name, never with content.</summary>
internal static class SftpTrace
{
    /// <summary>Logs a request.</summary>
    /// <param name="logger">The log.</param>
    /// <param name="request">The request, before its content is sent.</param>
    /// <param name="id">The id of the request.</param>
    public static void Sent(ILogger logger, SftpRequest request, uint id)
    {
        if (logger.IsEnabled(LogLevel.Trace))
            Log.RequestSent(logger, NameOf(request.Type), id, SubjectOf(request.Type, request.FieldBytes));
    }

    /// <summary>Logs a reply; of a STATUS, the code.</summary>
    public static void Received(ILogger logger, SftpPacketType type, uint id, in SftpReply reply)
    {
        if (!logger.IsEnabled(LogLevel.Trace)) return;
        Log.ReplyReceived(logger, NameOf(type), id, type == SftpPacketType.Status ? $"{reply.Status}" : string.Empty);
    }

    private static string NameOf(SftpPacketType type) => type switch
    {
        SftpPacketType.Attributes => "SSH_FXP_ATTRS",
        SftpPacketType.ExtendedReply => "SSH_FXP_EXTENDED_REPLY",
        _ => $"SSH_FXP_{type}".ToUpperInvariant(),
    };

    // The first field of these is a path, or the name of an extension; of the others, a handle.
    private static string SubjectOf(SftpPacketType type, ReadOnlySpan<byte> fields) =>
        type is SftpPacketType.Open or SftpPacketType.OpenDir or SftpPacketType.Stat or SftpPacketType.LStat or SftpPacketType.SetStat
            or SftpPacketType.Remove or SftpPacketType.MkDir or SftpPacketType.RmDir or SftpPacketType.RealPath or SftpPacketType.Rename
            or SftpPacketType.ReadLink or SftpPacketType.SymLink or SftpPacketType.Extended
            ? WireText.Clean(new SshReader(fields).ReadText()) : string.Empty;
}
