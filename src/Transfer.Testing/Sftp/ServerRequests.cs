using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Sftp;

/// <summary>Extensions about the server itself (OpenSSH PROTOCOL section 4).</summary>
internal static class ServerRequests
{
    private const ulong BlockSize = 4096;
    private const ulong Unlimited = 1UL << 50;
    private const ulong NameLength = 255;

    public static ValueTask LimitsAsync(SftpContext context, SftpRequest request, CancellationToken _)
    {
        const ulong Head = 1024;
        var options = context.Options;
        var fields = context.Reply.Begin(SftpPacketType.ExtendedReply, request.Id);
        fields.WriteUInt64((ulong)options.MaxPacketLength);
        fields.WriteUInt64((ulong)options.MaxReadLength);
        fields.WriteUInt64((ulong)options.MaxPacketLength - Head);
        fields.WriteUInt64((ulong)options.MaxHandles);
        return default;
    }

    /// <summary>statvfs@openssh.com: a store without a limit shows a large one.</summary>
    public static async ValueTask StatVfsAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        await context.FollowAsync(context.Resolve(request.Path), ct).ConfigureAwait(false);
        var free = (ulong)(context.Store.FreeBytes ?? (long)Unlimited) / BlockSize;
        var fields = context.Reply.Begin(SftpPacketType.ExtendedReply, request.Id);
        ulong[] values = [BlockSize, BlockSize, Unlimited / BlockSize, free, free, Unlimited, Unlimited, Unlimited, 0, 0, NameLength];
        foreach (var value in values) fields.WriteUInt64(value);
    }
}
