using System.Buffers.Binary;

namespace Transfer.Testing.Tls;

/// <summary>A ClientHello or ServerHello (RFC 5246 7.4.1, RFC 8446 4.1).</summary>
internal sealed class HelloMessage
{
    public const byte ClientType = 1;
    public const byte ServerType = 2;

    public const int SessionTicket = 35;
    public const int PreSharedKey = 41;
    public const int SupportedVersions = 43;

    private const int RandomAt = 2;
    private const int RandomLength = 32;

    /// <summary>The random of a HelloRetryRequest (RFC 8446 4.1.3).</summary>
    private static readonly byte[] RetryRandom = Convert.FromHexString("CF21AD74E59A6111BE1D8C021E65B891C2A211167ABB8C5E079E09E2C8A8339C");

    private readonly Dictionary<int, byte[]> _extensions = [];

    private HelloMessage(byte[] sessionId, bool isRetryRequest)
    {
        SessionId = sessionId;
        IsRetryRequest = isRetryRequest;
    }

    public byte[] SessionId { get; }

    public bool IsRetryRequest { get; }

    /// <summary>Reads a body; null when invalid.</summary>
    public static HelloMessage? TryRead(byte type, ReadOnlySpan<byte> body)
    {
        var at = RandomAt + RandomLength;
        if (!TryTake(body, ref at, 1, out var id)) return null;
        var hello = new HelloMessage(id.ToArray(), body.Slice(RandomAt, RandomLength).SequenceEqual(RetryRandom));
        if (type == ClientType)
        {
            if (!TryTake(body, ref at, 2, out _) || !TryTake(body, ref at, 1, out _)) return null;
        }
        else
        {
            at += 3;
        }

        if (!TryTake(body, ref at, 2, out var extensions)) return hello;
        for (var next = 0; next + 4 <= extensions.Length;)
        {
            var extension = BinaryPrimitives.ReadUInt16BigEndian(extensions[next..]);
            next += 2;
            if (!TryTake(extensions, ref next, 2, out var value)) return null;
            hello._extensions[extension] = value.ToArray();
        }

        return hello;
    }

    public bool Has(int extension) => _extensions.ContainsKey(extension);

    /// <summary>An extension's value, or nothing.</summary>
    public byte[] Extension(int extension) => _extensions.GetValueOrDefault(extension) ?? [];

    /// <summary>Takes a field after its length.</summary>
    private static bool TryTake(ReadOnlySpan<byte> body, ref int at, int lengthBytes, out ReadOnlySpan<byte> field)
    {
        field = default;
        if (at + lengthBytes > body.Length) return false;
        var length = lengthBytes == 1 ? body[at] : BinaryPrimitives.ReadUInt16BigEndian(body[at..]);
        at += lengthBytes;
        if (at + length > body.Length) return false;
        field = body.Slice(at, length);
        at += length;
        return true;
    }
}
