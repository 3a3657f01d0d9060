using Transfer.Wan.Link;
using Transfer.Wan.Records;

namespace Transfer.Wan.Commands;

/// <summary>A link by hand, and what runs at its near end.</summary>
internal sealed record LinkOptions
{
    public required LinkSettings Settings { get; init; }

    public bool Netem { get; init; }

    public string? CongestionControl { get; init; }

    /// <summary>Started at the far end before, and ended after; null: nothing.</summary>
    public string? Far { get; init; }

    /// <summary>Empty: only the self-test.</summary>
    public required IReadOnlyList<string> Command { get; init; }

    public static LinkOptions Parse(IEnumerable<string> words)
    {
        var shape = new LinkShape { RoundTrip = 0, Rate = 0 };
        double? queue = null;
        var netem = false;
        string? far = null, control = null;
        var command = new Arguments(words).Read(
            (name, value) =>
            {
                double Number() => Arguments.Number(value(), name);
                switch (name)
                {
                    case "--rtt": shape = shape with { RoundTrip = Number() }; return true;
                    case "--rate": shape = shape with { Rate = Number() }; return true;
                    case "--jitter": shape = shape with { Jitter = Number() }; return true;
                    case "--loss": shape = shape with { Loss = Number() / 100 }; return true;
                    case "--queue": queue = Number(); return true;
                    case "--far": far = value(); return true;
                    case "--congestion": control = value(); return true;
                    case "--netem": netem = true; return true;
                    default: return false;
                }
            },
            _ => false);
        if (shape.Loss >= 1) throw new UsageException("--loss is a percentage below 100.");
        if (shape.Jitter > shape.RoundTrip / 2) throw new UsageException("--jitter is each way's and cannot exceed half of --rtt.");
        var settings = queue is { } kib ? new LinkSettings(shape, (long)(kib * 1024)) : LinkSettings.For(shape);
        return new LinkOptions { Settings = settings, Netem = netem, CongestionControl = control, Far = far, Command = command };
    }
}
