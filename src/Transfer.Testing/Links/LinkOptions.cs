namespace Transfer.Testing;

/// <summary>The delay and rate of a <see cref="TestLink"/>.</summary>
public sealed record LinkOptions
{
    /// <summary>
    /// The round-trip time; each direction takes half. A new connection also costs one round trip before the first byte, as TCP's
    /// handshake does.
    /// </summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>
    /// Bytes a second, for each direction separately and shared by all connections of the link. Null: as fast as the machine.
    /// </summary>
    public long? BytesPerSecond { get; init; }

    /// <summary>
    /// The bytes that one connection may have inside the link in one direction, beyond rate x delay. Null: 16 MiB without a rate; with
    /// one, a tenth of a second's worth and at least 256 KiB, as in routers.
    /// </summary>
    public long? BufferBytes { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
