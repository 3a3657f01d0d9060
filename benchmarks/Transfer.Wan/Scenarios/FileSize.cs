namespace Transfer.Wan.Scenarios;

/// <summary>How long each file of a scenario is, and how its name says it.</summary>
internal sealed record FileSize(int Bytes, string Label)
{
    public static FileSize Ki(int count) => new(count << 10, FormattableString.Invariant($"{count}KB"));

    public static FileSize Mi(int count) => new(count << 20, FormattableString.Invariant($"{count}MiB"));
}
