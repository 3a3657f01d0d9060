using System.Globalization;

namespace Transfer.Dialing;

/// <summary>The limits of the system for sockets, read once for the process.</summary>
internal sealed record NetworkLimits
{
    private const int CapNetAdmin = 12;

    private static readonly Lazy<NetworkLimits> Cached = new(() => Read(OperatingSystem.IsLinux() ? "/proc" : null));

    /// <summary>The limits of this system.</summary>
    public static NetworkLimits Current => Cached.Value;

    public BufferPlatform Platform { get; init; }

    public BufferLimits Send { get; init; }

    public BufferLimits Receive { get; init; }

    /// <summary>Congestion controls that this process may set, by name; empty where sockets have no such choice.</summary>
    public IReadOnlyCollection<string> CongestionControls { get; init; } = [];

    /// <summary>Reads the limits below a <c>/proc</c>; null: not Linux.</summary>
    public static NetworkLimits Read(string? proc)
    {
        if (proc is null)
            return new NetworkLimits { Platform = OperatingSystem.IsWindows() ? BufferPlatform.Windows : BufferPlatform.Other };

        // Every process may set the "allowed" algorithms; with CAP_NET_ADMIN, all that are loaded.
        var administrator = HasCapability(ReadText(proc, "self/status"), CapNetAdmin);
        return new NetworkLimits
        {
            Platform = BufferPlatform.Linux,
            Send = new BufferLimits(Number(ReadText(proc, "sys/net/ipv4/tcp_wmem"), 2), Number(ReadText(proc, "sys/net/core/wmem_max"), 0)),
            Receive = new BufferLimits(Number(ReadText(proc, "sys/net/ipv4/tcp_rmem"), 2),
                Number(ReadText(proc, "sys/net/core/rmem_max"), 0)),
            CongestionControls = Words(ReadText(proc,
                administrator ? "sys/net/ipv4/tcp_available_congestion_control" : "sys/net/ipv4/tcp_allowed_congestion_control")),
        };
    }

    // Absent in containers and older network namespaces: an empty text, which the policies understand.
    private static string ReadText(string proc, string name)
    {
        try
        {
            return File.ReadAllText(Path.Combine(proc, name));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return string.Empty;
        }
    }

    private static string[] Words(string text) => text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    private static long? Number(string text, int index) =>
        Words(text) is var words && words.Length > index
        && long.TryParse(words[index], NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : null;

    private static bool HasCapability(string status, int capability)
    {
        var line = status.Split('\n').FirstOrDefault(l => l.StartsWith("CapEff:", StringComparison.Ordinal));
        return line is not null
            && ulong.TryParse(line.AsSpan(7).Trim(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var effective)
            && (effective >> capability & 1) == 1;
    }
}
