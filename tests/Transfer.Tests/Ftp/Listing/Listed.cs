using System.Globalization;
using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

/// <summary>Parses lines for the tables and writes an entry as one line, so that every property is compared in every case.</summary>
internal static class Listed
{
    public const string Directory = "/pub";
    public const string Nothing = "(nothing)";
    public const string NotUnderstood = "(not understood)";

    public static readonly ListingContext Context = new() { Now = new DateTimeOffset(2024, 6, 15, 12, 0, 0, TimeSpan.Zero) };

    public static string Parse(string line, ListingContext? context = null) => ParseAll([line], context)[0];

    public static string[] ParseAll(string[] lines, ListingContext? context = null)
    {
        context ??= Context;
        var (parser, dates) = (new ListParser(), new DateInference(context));
        var (results, waiting) = (new string[lines.Length], new Queue<int>());
        for (var i = 0; i < lines.Length; i++)
        {
            results[i] = NotUnderstood;
            if (!parser.TryParse(lines[i], context, out var listed)) continue;
            results[i] = Nothing;
            if (listed.Name.IsEmpty) continue;
            dates.Add(listed.ToEntry(RemotePath.Combine(Directory, listed.Name.ToString())), listed.Numbers, lines[i].Length);
            waiting.Enqueue(i);
            Take();
        }

        dates.Complete();
        Take();
        return results;

        void Take()
        {
            while (dates.TryTake(out var entry)) results[waiting.Dequeue()] = Describe(entry);
        }
    }

    /// <summary><c>type length modified mode owner [name] -> target</c>, a question mark for what is unknown.</summary>
    public static string Describe(RemoteEntry entry)
    {
        var type = entry.Type switch
        {
            RemoteEntryType.File => "file",
            RemoteEntryType.Directory => "dir",
            RemoteEntryType.Link => "link",
            _ => "other",
        };
        var length = entry.Length?.ToString(CultureInfo.InvariantCulture) ?? "?";
        var mode = entry.Mode is { } bits ? Convert.ToString((int)bits, 8) : "?";
        var created = entry.Created is null ? "" : $" created {Describe(entry.Created)}";
        var target = entry.LinkTarget is null ? "" : $" -> {entry.LinkTarget}";
        var name = entry.Path.StartsWith(Directory + "/", StringComparison.Ordinal) ? entry.Path[(Directory.Length + 1)..]
            : "PATH " + entry.Path;
        return $"{type} {length} {Describe(entry.Modified)} {mode} {entry.Owner ?? "?"} [{name}]{target}{created}";
    }

    private static string Describe(DateTimeOffset? time)
    {
        if (time is not { } known) return "?";
        var format = known.Ticks % TimeSpan.TicksPerSecond == 0 ? "yyyy-MM-dd'T'HH:mm:ss" : "yyyy-MM-dd'T'HH:mm:ss.FFFFFFF";
        return known.ToString(format + (known.Offset == TimeSpan.Zero ? "'Z'" : "zzz"), CultureInfo.InvariantCulture);
    }
}
