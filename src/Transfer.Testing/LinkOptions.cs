namespace Transfer.Testing;

/// <summary>What a <see cref="TestLink"/> does to the bytes that cross it.</summary>
public sealed record LinkOptions
{
    /// <summary>Time there and back; each direction takes half of it. A new connection also costs one round trip before its first byte, as TCP's handshake does.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>Bytes a second, for each direction on its own and shared by all connections of the link. Null: as fast as the machine.</summary>
    public long? BytesPerSecond { get; init; }

    /// <summary>
    /// Bytes one connection may have inside the link in one direction, beyond rate x delay. Null: 16 MiB without a rate,
    /// and with one a tenth of a second's worth, at least 256 KiB, which is what routers hold.
    /// </summary>
    public long? BufferBytes { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
