namespace Transfer.Sftp.Ssh.Settings;

/// <summary>
/// The limits of the client for its keys: bytes or packets of either direction, and time (RFC 4253 section 9, RFC 4344 section 3).
/// </summary>
internal sealed record RekeyLimits
{
    public ulong Bytes { get; init; } = 1UL << 30;

    /// <summary>Far below the 2^32 at which sequence numbers would repeat.</summary>
    public ulong Packets { get; init; } = 1UL << 31;

    public TimeSpan Time { get; init; } = TimeSpan.FromHours(1);
}
