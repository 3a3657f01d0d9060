using System.Buffers;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Fuzz.Targets;

/// <summary>What an SFTP server answers.</summary>
internal static class SftpPackets
{
    public static void Read(byte[] input)
    {
        var buffer = new ReadOnlySequence<byte>(input);
        while (SftpFraming.TryTake(ref buffer, out var packet)) ReadPacket(packet.ToArray());
    }

    private static void ReadPacket(byte[] packet)
    {
        switch ((SftpPacketType)packet[0])
        {
            case SftpPacketType.Version:
                SftpVersion.Parse(packet);
                break;
            case SftpPacketType.ExtendedReply:
                SftpLimits.Parse(Fields(packet));
                break;
            case SftpPacketType.Attributes:
                var reader = new SshReader(Fields(packet));
                SftpAttributes.Read(ref reader);
                break;
            default:
                var names = new SftpNames(Fields(packet), NameEncoding.LosslessUtf8);
                while (names.MoveNext())
                {
                    if (names.Attributes.Length < 0) throw new FuzzException("A length is negative.");
                }

                break;
        }
    }

    // Behind the type and the request's number.
    private static ReadOnlySpan<byte> Fields(byte[] packet) => packet.AsSpan(Math.Min(5, packet.Length));
}
