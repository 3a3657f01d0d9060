using Transfer.Testing.Faults;


namespace Transfer.Testing.Ftp;

/// <summary>Plays the faults that strike a command before its execution.</summary>
internal static class FaultPlayer
{
    private const int Chunk = 64 * 1024;

    public static async ValueTask PlayAsync(FaultAction action, FtpSession session, CancellationToken ct)
    {
        switch (action)
        {
            case ReplyFault reply:
                await session.Replies.WriteAsync(ReplyFault.Complete(reply.Reply), ct).ConfigureAwait(false);
                break;
            case GarbageFault garbage:
                await session.Replies.WriteAsync(garbage.Bytes, ct).ConfigureAwait(false);
                break;
            case DropFault drop:
                session.Drop(drop.Reset);
                break;
            case EndlessReplyFault endless:
                await SendEndlessAsync(endless, session, ct).ConfigureAwait(false);
                session.Drop(reset: false);
                break;
        }
    }

    private static async Task SendEndlessAsync(EndlessReplyFault fault, FtpSession session, CancellationToken ct)
    {
        var chunk = new byte[Chunk];
        if (fault.LineEnds)
        {
            ReadOnlySpan<byte> line = "and so on, line after line, without an end.....................\r\n"u8;
            for (var at = 0; at < chunk.Length; at += line.Length)
                line[..Math.Min(line.Length, chunk.Length - at)].CopyTo(chunk.AsSpan(at));
            await session.Replies.WriteAsync("211-It goes on\r\n", ct).ConfigureAwait(false);
        }
        else
        {
            chunk.AsSpan().Fill((byte)'x');
            "211 "u8.CopyTo(chunk);
        }

        for (var left = fault.Bytes; left > 0; left -= chunk.Length)
        {
            await session.Replies.WriteAsync(chunk.AsMemory(0, (int)Math.Min(left, chunk.Length)), ct).ConfigureAwait(false);
            if (!fault.LineEnds) chunk.AsSpan(0, 4).Fill((byte)'x');
        }
    }
}
