using System.Globalization;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Looks for doubt in the final reply of a listing. No code shows that a listing was truncated (Pure-FTPd: <c>226 Output truncated to N
/// matches</c>) or that the directory could not be opened (vsftpd: <c>226 Transfer done (but failed to open directory).</c>): only the text
/// does. So the text may take completeness from a listing, never give any.
/// </summary>
internal static class ListingReply
{
    /// <summary>Stems of "truncated" in the languages that Pure-FTPd is built for.</summary>
    private static readonly string[] Truncated =
    [
        "truncat", "truncad", "trunchiat", "trunker", "tronqu", "troncat", "zkrácen", "skráten", "skraten", "afrundet til", "beschränkt",
        "begrenzt auf", "gekürzt", "csonk",
        "afgekort", "avkortet", "obcięt", "obciet", "shkurtuar", "kısalt", "обрезан", "截断", "截斷", "截短",
    ];

    /// <summary>Other words of a partial failure.</summary>
    private static readonly string[] Failed = ["failed", "incomplete", "not complete", "too many", "out of memory", "cannot", "can't",
        "could not", "denied", "partial", "not all", "omitted", "aborted", "interrupted", "stopped", "read error", "error reading",
        "i/o error", "input/output error"];

    /// <summary>
    /// Stems of words for a limit. In a line about entries they report a truncated listing; Serv-U ends each with <c>Maximum disk quota
    /// limited to N kBytes</c>.
    /// </summary>
    private static readonly string[] Limits = ["limit", "maximum", "exceed"];

    /// <summary>Stems of words for the entries of a listing.</summary>
    private static readonly string[] Entries =
        ["entr", "file", "match", "item", "director", "folder", "listing", "name", "line", "object", "result", "record"];

    /// <summary>Stems of words for other things that are counted or limited.</summary>
    private static readonly string[] Others =
    [
        "quota", "disk", "space", "used", "size", "byte", " kb", " mb", " gb", "speed", "bandwidth", "upload", "download", "user",
        "connection", "session", "unlimited", "no limit",
    ];

    /// <summary>Stems of words about access, in the languages of common servers.</summary>
    private static readonly string[] Access =
    [
        "denied", "permission", "permit", "allow", "access", "privilege", "forbid", "author", "refuse", "readable", "open",
        "zugriff", "berechtig", "verweiger", "permis", "permes", "acceso", "accès", "autoris", "autoriz", "negad", "negat",
        "отказ", "доступ", "权限", "拒绝",
    ];

    /// <summary>Finds the line of a positive reply that reports a truncated listing; null: none.</summary>
    /// <param name="reply">The final reply to MLSD or LIST.</param>
    /// <param name="path">The directory as sent: some servers repeat its name, which may hold any of these words.</param>
    public static string? FindTruncation(FtpReply reply, string path) => Find(reply, path, text => HoldsAny(text, Truncated));

    /// <summary>Finds the line of a positive reply that reports another failure; null: none.</summary>
    /// <inheritdoc cref="FindTruncation"/>
    public static string? FindDoubt(FtpReply reply, string path) =>
        Find(reply, path, text => HoldsAny(text, Failed)) ?? Find(reply, path, IsLimited);

    /// <summary>
    /// Whether the text of a refusal is about access: then the directory is not empty but unreadable, which no code distinguishes.
    /// </summary>
    /// <inheritdoc cref="FindTruncation"/>
    public static bool IsAboutAccess(string text, string path) => HoldsAny(WithoutNames(text, path), Access);

    /// <summary>
    /// Finds the number of lines that the server has sent: Pure-FTPd ends a listing with <c>N matches total</c>, in several languages, and
    /// counts <c>.</c> and <c>..</c> where shown. Null: the reply has none.
    /// </summary>
    /// <param name="reply">The final reply to MLSD or LIST.</param>
    /// <param name="isPureFtpd">Whether the server is Pure-FTPd for certain; else only its English text counts.</param>
    public static long? FindCount(FtpReply reply, bool isPureFtpd)
    {
        if (!reply.IsSuccess) return null;
        var count = reply.Lines.LastOrDefault(line => line.TrimEnd().EndsWith(" matches total", StringComparison.OrdinalIgnoreCase));
        return (count ?? (isPureFtpd ? reply.Lines[^1] : null)) is { } line ? FirstNumber(line) : null;
    }

    /// <summary>The first number of a text, in any language; null: none.</summary>
    public static long? FirstNumber(ReadOnlySpan<char> text)
    {
        var start = text.IndexOfAnyInRange('0', '9');
        if (start < 0) return null;
        var length = text[start..].IndexOfAnyExceptInRange('0', '9');
        var digits = length < 0 ? text[start..] : text.Slice(start, length);
        return long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) ? count : null;
    }

    private static string? Find(FtpReply reply, string path, Predicate<string> reports) =>
        reply.Lines.FirstOrDefault(line => reports(WithoutNames(line, path)))?.Trim();

    private static bool HoldsAny(string text, string[] words) =>
        words.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase));

    private static bool IsLimited(string text) =>
        !HoldsAny(text, Others) && (IsPartOfCount(text) || HoldsAny(text, Limits) && HoldsAny(text, Entries));

    // "3 of 6 entries", "3 out of 6 entries".
    private static bool IsPartOfCount(string text)
    {
        string[] words = text.Replace(" out of ", " of ", StringComparison.OrdinalIgnoreCase)
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        for (var i = 1; i + 2 < words.Length; i++)
        {
            if (words[i].Equals("of", StringComparison.OrdinalIgnoreCase)
                && long.TryParse(words[i - 1], NumberStyles.None, CultureInfo.InvariantCulture, out var some)
                && long.TryParse(words[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out var all) && some < all
                && Entries.Any(word => words[i + 2].StartsWith(word, StringComparison.OrdinalIgnoreCase)))
            {
                return true;
            }
        }
        return false;
    }

    private static string WithoutNames(string line, string path)
    {
        if (path.Length > 1) line = line.Replace(path, string.Empty, StringComparison.OrdinalIgnoreCase);
        // FileZilla Server quotes the path in its own form.
        var first = line.IndexOf('"', StringComparison.Ordinal);
        var last = line.LastIndexOf('"');
        return first >= 0 && last > first ? line.Remove(first, last - first + 1) : line;
    }
}
