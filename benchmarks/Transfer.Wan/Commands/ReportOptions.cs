namespace Transfer.Wan.Commands;

/// <summary>How a report is to be made.</summary>
internal sealed record ReportOptions
{
    public required string Report { get; init; }

    public bool Quick { get; init; }

    /// <summary>How often each client has its turn; null: as the scenario says.</summary>
    public int? Rounds { get; init; }

    /// <summary>Only scenarios with this in their name; null: all.</summary>
    public string? Only { get; init; }

    /// <summary>Whether nothing is measured: the pages are written anew, from the data of the last run.</summary>
    public bool IsRewrite { get; init; }

    public bool Netem { get; init; }

    /// <summary>What both ends use; null: the system's.</summary>
    public string? CongestionControl { get; init; } = "cubic";

    /// <summary>Where the report goes, its data to <c>data/</c> below; null: docs/reports of this repository.</summary>
    public string? Directory { get; init; }

    public static ReportOptions Parse(string report, IEnumerable<string> words)
    {
        var options = new ReportOptions { Report = report };
        new Arguments(words).Read(
            (name, value) =>
            {
                switch (name)
                {
                    case "--quick": options = options with { Quick = true }; return true;
                    case "--rounds":
                        options = options with
                        { Rounds = (int)Math.Clamp(Arguments.Number(value(), name), 1, 100) }; return true;
                    case "--only": options = options with { Only = value() }; return true;
                    case "--rewrite": options = options with { IsRewrite = true }; return true;
                    case "--netem": options = options with { Netem = true }; return true;
                    case "--congestion":
                        options =
                        options with { CongestionControl = value() is var control && control == "system" ? null : control }; return true;
                    case "--out": options = options with { Directory = Folder(value()) }; return true;
                    default: return false;
                }
            },
            _ => false);
        return options;
    }

    private static string Folder(string path)
    {
        for (var at = Path.GetFullPath(path); at is not null; at = Path.GetDirectoryName(at))
        {
            if (File.Exists(at)) throw new UsageException($"--out {path}: {at} is a file, and no folder.");
        }
        return path;
    }

    /// <summary>The command that repeats it.</summary>
    public override string ToString()
    {
        List<string> words = ["./build.sh", "wan", Report];
        if (Quick) words.Add("--quick");
        if (Rounds is { } rounds) words.Add(FormattableString.Invariant($"--rounds {rounds}"));
        if (Only is not null) words.Add($"--only {Only}");
        if (Netem) words.Add("--netem");
        if (CongestionControl != "cubic") words.Add($"--congestion {CongestionControl ?? "system"}");
        return string.Join(' ', words);
    }
}
