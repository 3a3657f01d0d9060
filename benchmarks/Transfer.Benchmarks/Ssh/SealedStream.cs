using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Ssh;

/// <summary>Packets as they would come from a socket that is never empty.</summary>
internal sealed class SealedStream(byte[] bytes) : MemoryStream(bytes, writable: false)
{
    /// <summary>Seals packets of zeros; the cipher is used up.</summary>
    public static SealedStream Create(PacketCipher cipher, int packetSize, int packets)
    {
        using var buffer = new SendBuffer();
        buffer.ChangeKeys(cipher, resetSequence: true);
        using var all = new MemoryStream(packets * (packetSize + PacketLimits.MaxOverhead));
        var data = new byte[packetSize];
        for (var i = 0; i < packets; i++)
        {
            buffer.AddPacket(data, []);
            all.Write(buffer.Take().Span);
        }
        return new SealedStream(all.ToArray());
    }

    // The base class's own makes a task for each other length that it reads.
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));
}
