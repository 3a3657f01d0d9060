namespace Transfer.Dialing;

/// <summary>
/// Decides whether a socket's buffers are set. A set size ends the system's autotuning for that socket and may be capped, so "a large
/// buffer" can end up smaller than an untouched one: a size is set only where that gives more, or where autotuning can go on from the size.
/// </summary>
internal static class BufferPolicy
{
    /// <summary>The least bytes wanted.</summary>
    public const int Least = 1 << 20;

    /// <summary>
    /// The most bytes wanted. More would be queued, not in flight: that would delay cancellation and falsify progress, once for each
    /// session.
    /// </summary>
    public const int Most = 16 << 20;

    // The bandwidth assumed for a path whose delay alone is known: 1 Gbit/s.
    private const long BytesPerSecond = 125_000_000;

    // Windows' receive window autotuning at the default level ("normal") ends at 16 MiB.
    private const long WindowsReceiveTuned = 16 << 20;

    // Defaults of net.inet.tcp.autosndbufmax and autorcvbufmax on macOS.
    private const long MacTuned = 4 << 20;

    /// <summary>The bytes wanted: twice the bandwidth-delay product as far as known, within limits.</summary>
    public static int Wanted(TimeSpan? roundTrip)
    {
        if (roundTrip is not { } delay || delay <= TimeSpan.Zero) return Least;
        return (int)Math.Clamp(2 * delay.TotalSeconds * BytesPerSecond, Least, Most);
    }

    /// <summary>Decides for one buffer.</summary>
    /// <param name="platform">The system.</param>
    /// <param name="direction">Which buffer.</param>
    /// <param name="limits">The limits of Linux; ignored elsewhere.</param>
    /// <param name="told">The size in the options, if any.</param>
    /// <param name="roundTrip">The path's round-trip time, if known.</param>
    public static BufferDecision Decide(BufferPlatform platform, BufferDirection direction, BufferLimits limits, int? told,
        TimeSpan? roundTrip)
    {
        if (told is { } size) return BufferDecision.UseOption(size);
        var wanted = Wanted(roundTrip);
        // An autotuned receive window opens as content is read, a round trip behind a sender that doubles its bytes in flight each round
        // trip.
        var beginsSmall = direction == BufferDirection.Receive && !(roundTrip < CongestionPolicy.LongRoundTrip);
        return (platform, direction) switch
        {
            (BufferPlatform.Linux, _) => DecideLinux(limits, wanted, beginsSmall),
            (BufferPlatform.Windows, BufferDirection.Receive) => DecideTuned(WindowsReceiveTuned, wanted),
            (BufferPlatform.Windows, _) => BufferDecision.Set(wanted, 0, "the system starts with a small one"),
            _ => DecideTuned(MacTuned, wanted),
        };
    }

    private static BufferDecision DecideLinux(BufferLimits limits, int wanted, bool beginsSmall)
    {
        if (limits is not { Autotuned: { } tuned, Settable: { } settable })
        {
            return BufferDecision.KeepDefault(
                "the kernel's limits are not readable, so setting could make the buffer smaller than autotuning does");
        }

        var given = 2 * Math.Min(wanted, settable);
        if (tuned < given) return BufferDecision.Set(wanted, tuned, $"setting gives {given} bytes, autotuning goes up to {tuned}");
        return beginsSmall
            ? BufferDecision.StartAutotuningAt(wanted, $"autotuning goes on from {given} bytes, up to {tuned}")
            : BufferDecision.KeepDefault($"autotuning goes up to {tuned} bytes, setting would give {given}");
    }

    private static BufferDecision DecideTuned(long tuned, int wanted) => tuned >= wanted
        ? BufferDecision.KeepDefault($"autotuning goes up to {tuned} bytes, {wanted} are wanted")
        : BufferDecision.Set(wanted, tuned, $"{wanted} bytes are wanted, autotuning goes up to {tuned}");
}
