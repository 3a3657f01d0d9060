using System.Net.Sockets;
using System.Text;

namespace Transfer.TestSupport.Network;

/// <summary>Reading and writing exact bytes in scripts.</summary>
internal static class Wire
{
    public static async Task<byte[]> ReadAsync(this NetworkStream stream, int count, CancellationToken ct)
    {
        var buffer = new byte[count];
        await stream.ReadExactlyAsync(buffer, ct);
        return buffer;
    }

    /// <summary>Reads up to an empty line.</summary>
    public static async Task<string> ReadHeaderAsync(this NetworkStream stream, CancellationToken ct)
    {
        var header = new StringBuilder();
        while (!header.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            header.Append((char)(await stream.ReadAsync(1, ct))[0]);
        }
        return header.ToString();
    }

    /// <summary>Writes in pieces, each of which leaves as a segment of its own.</summary>
    public static async Task WriteAsync(this NetworkStream stream, byte[] data, int pieceSize, CancellationToken ct)
    {
        foreach (var piece in data.Chunk(pieceSize))
        {
            await stream.WriteAsync(piece, ct);
            if (pieceSize < data.Length) await Task.Yield();
        }
    }

    /// <summary>Waits until the other side has gone.</summary>
    public static async Task ReadToEndAsync(this NetworkStream stream, CancellationToken ct)
    {
        try
        {
            await stream.CopyToAsync(Stream.Null, ct);
        }
        catch (IOException)
        {
            // Reset is an end too.
        }
    }
}
