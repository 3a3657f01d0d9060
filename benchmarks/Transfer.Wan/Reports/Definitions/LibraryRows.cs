using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>The rows of libraries that applications have: as they are, tuned, and under our engine by an adapter.</summary>
internal static class LibraryRows
{
    private static readonly (string Library, string Adapter)[] Known =
    [
        ("FluentFTP", "Transfer.FluentFtp"),
        ("SSH.NET", "Transfer.SshNet"),
    ];

    /// <summary>What the labels mean; null: there are no such rows.</summary>
    public static string? Introduction(IEnumerable<Result> results)
    {
        var names = Known.Where(known => results.Any(result => IsOf(result, known))).ToList();
        if (names.Count == 0) return null;
        var tuned = Sentences.List(names.Select(known => Sentences.Code(known.Library + " tuned")));
        var adapters = Sentences.List(names.Select(known => Sentences.Code(known.Adapter)));
        var plain = Sentences.List(names.Select(known => Sentences.Code(known.Library)));
        return $"{plain}: the library as an application calls it, by one client that moves the files one after the other. "
            + $"{tuned}: the same client with the settings that our adapter's `Tune` gives it. "
            + $"{adapters}: our engine over clients of the library, with up to 16 sessions, and with as many as the number says. "
            + "`transfer`: our engine over its own protocols.";
    }

    /// <summary>The library's own row, which the others are compared with; null: there is none.</summary>
    public static Result? Plain(IReadOnlyList<Result> results) =>
        results.FirstOrDefault(result => result.Seconds is not null && Known.Any(known => result.Client == known.Library));

    /// <summary>How much faster each row is than the library as it is.</summary>
    public static IEnumerable<string> Statements(IReadOnlyList<Result> results, int files)
    {
        if (Plain(results) is not { Seconds: { } before } plain) yield break;
        var known = Known.First(known => known.Library == plain.Client);
        yield return $"{Sentences.Code(plain.Client)} as it is: {Format.Seconds(before.Median / files)} a file.";
        foreach (var result in results)
        {
            if (result == plain || result.Seconds is null || !(IsOf(result, known) || result.IsOurs)) continue;
            var after = result.Seconds!.Value;
            var overlap = after.Overlaps(before) ? "; the ranges overlap" : string.Empty;
            yield return $"{Sentences.Code(result.Client)}: {Format.Seconds(after.Median / files)} a file, "
                + $"{Format.Ratio(before.Median / after.Median)} as fast as {Sentences.Code(plain.Client)}{overlap}.";
        }
    }

    private static bool IsOf(Result result, (string Library, string Adapter) known) =>
        result.Client.Split(' ')[0] is var name && (name == known.Library || name == known.Adapter);
}
