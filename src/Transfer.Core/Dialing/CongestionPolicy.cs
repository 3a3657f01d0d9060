namespace Transfer.Dialing;

/// <summary>Decides a socket's congestion control. Only the sender's side counts, and only Linux lets a socket choose.</summary>
internal static class CongestionPolicy
{
    /// <summary>The algorithm that does not fall to a crawl on a long path with a little loss.</summary>
    public const string LongPath = "bbr";

    /// <summary>The round trip from which a path counts as long: on a shorter path, any algorithm recovers quickly from loss.</summary>
    public static readonly TimeSpan LongRoundTrip = TimeSpan.FromMilliseconds(10);

    /// <summary>Decides.</summary>
    /// <param name="option">The algorithm in the options.</param>
    /// <param name="limits">The limits of the system.</param>
    /// <param name="sends">Whether the connection will send much.</param>
    /// <param name="roundTrip">The path's round-trip time, if known.</param>
    public static CongestionDecision Decide(CongestionControl option, NetworkLimits limits, bool sends, TimeSpan? roundTrip)
    {
        if (option == CongestionControl.Default) return KeepDefault("the options ask for the system's default");
        if (limits.Platform != BufferPlatform.Linux) return KeepDefault("sockets have no choice on this system");
        if (option != CongestionControl.Auto) return new CongestionDecision(option.ToString(), true, "the options say so");
        if (!sends) return KeepDefault("little is sent");
        if (roundTrip is not { } delay) return KeepDefault("the round trip is not known");
        if (delay < LongRoundTrip) return KeepDefault($"the round trip of {delay.TotalMilliseconds:0.#} ms is short");
        return limits.CongestionControls.Contains(LongPath)
            ? new CongestionDecision(LongPath, false, $"much is sent over a round trip of {delay.TotalMilliseconds:0.#} ms")
            : KeepDefault($"{LongPath} is not allowed here");
    }

    private static CongestionDecision KeepDefault(string reason) => new(null, false, reason);
}
