using System.Buffers;
using System.Text;

namespace Transfer.Ftp.Protocol;

internal static class FtpReplyParser
{
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, Encoding encoding, out FtpReply? reply) => throw new NotImplementedException();
}
