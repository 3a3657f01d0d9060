using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>A result's figures as cells of a table.</summary>
internal static class ResultCells
{
    public const string None = "–";

    private const int LargeFile = 1 << 20;
    private const double Gibi = 1 << 30;
    private const int SomeFiles = 1000;

    /// <summary>The median, marked where it is extrapolated or the client was stopped; or that it failed.</summary>
    public static string Median(Result result) => result.Seconds is { } seconds ? Format.Seconds(seconds.Median) + Mark(result) : "failed";

    public static string Range(Result result) =>
        result.Seconds is { } seconds ? Format.Range(seconds.Minimum, seconds.Maximum, Format.Seconds) : None;

    /// <summary>How many rounds were good, of how many where some were not.</summary>
    public static string Rounds(Result result) =>
        Format.Text($"{result.Turns.Count - result.Failures.Count}")
            + (result.Failures.Count > 0 ? Format.Text($" of {result.Turns.Count}") : string.Empty);

    /// <summary>How many times as long as ours it takes.</summary>
    public static string Against(Result result, Result? ours) =>
        ours?.Seconds is { } reference && result.Seconds is { } seconds ? Format.Ratio(seconds.Median / reference.Median) : None;

    /// <summary>The processor time, and that for each GiB or, of small files, for each 1,000 files.</summary>
    public static string Processor(Result result) => result.ProcessorSeconds is { } seconds
        ? $"{Format.Seconds(seconds.Median)}{Share(result, seconds.Median)}" : None;

    private static string Share(Result result, double seconds) => result switch
    {
        { FileSize: >= LargeFile } => $", {Format.Seconds(seconds * Gibi / result.Bytes)} a GiB",
        { Files: >= SomeFiles } => $", {Format.Seconds(seconds * SomeFiles / result.Files)} a 1,000",
        _ => string.Empty,
    };

    public static string Memory(long? peak) => peak is { } bytes ? Format.Megabytes(bytes) : None;

    public static string Traffic(Result result, Summary? bytes) =>
        bytes is { } traffic ? Format.Megabytes(traffic.Median) + Mark(result) : None;

    public static string RoundTrips(Result result) => result.RoundTripsPerFile is { } trips ? Format.Digits(trips) : None;

    public static string Throughput(Result result) =>
        result.MegabytesPerSecond is { } rate ? Format.Digits(rate.Median) + Mark(result) : "failed";

    public static string? Note(Result result) =>
        result switch { { IsStopped: true } => "stopped", { IsExtrapolated: true } => "extrapolated", _ => null };

    public static string Mark(Result result) =>
        result switch { { IsStopped: true } => " †", { IsExtrapolated: true } => " \\*", _ => string.Empty };
}
