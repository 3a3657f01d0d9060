using System.Globalization;
using System.Text;

namespace Transfer.Testing.Listing;

/// <summary>Facts of MLSD and MLST (RFC 3659 7.5).</summary>
internal static class MachineListing
{
    private static readonly string[] InOrder = ["type", "size", "modify", "UNIX.mode"];

    public static IReadOnlySet<string> AllFacts { get; } = InOrder.ToHashSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The facts for FEAT and OPTS MLST; in FEAT the facts sent have a star (RFC 3659 7.8).</summary>
    public static string Describe(IReadOnlySet<string> chosen, bool stars) =>
        string.Concat(
            InOrder.Where(fact => stars || chosen.Contains(fact)).Select(
                fact => $"{fact}{(stars && chosen.Contains(fact) ? "*" : string.Empty)};"));

    /// <summary>An entry's line: facts, a space, and the name given.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="name">The name or path to show.</param>
    /// <param name="facts">The facts to send.</param>
    /// <param name="type">Another type than the entry's own, such as cdir.</param>
    public static string Line(TestEntry entry, string name, IReadOnlySet<string> facts, string? type = null)
    {
        var line = new StringBuilder();
        type ??= entry.LinkTarget is { } target ? $"OS.unix=slink:{target}" : entry.IsDirectory ? "dir" : "file";
        if (facts.Contains("type")) line.Append(CultureInfo.InvariantCulture, $"type={type};");
        if (facts.Contains("size") && !entry.IsDirectory) line.Append(CultureInfo.InvariantCulture, $"size={entry.Length};");
        if (facts.Contains("modify")) line.Append(CultureInfo.InvariantCulture, $"modify={TimeValue.Format(entry.Modified)};");
        if (facts.Contains("UNIX.mode")) line.Append(CultureInfo.InvariantCulture, $"UNIX.mode={Octal(entry.Mode)};");
        return line.Append(' ').Append(name).ToString();
    }

    private static string Octal(UnixFileMode mode) => "0" + Convert.ToString((int)mode & 0x1FF, 8).PadLeft(3, '0');
}
