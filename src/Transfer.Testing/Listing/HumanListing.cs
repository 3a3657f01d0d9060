using System.Globalization;

namespace Transfer.Testing.Listing;

/// <summary>Lines of LIST.</summary>
internal static class HumanListing
{
    private static readonly TimeSpan Recent = TimeSpan.FromDays(180);

    public static string Line(TestEntry entry, string name, FtpListingStyle style, DateTimeOffset now) =>
        style == FtpListingStyle.Windows ? Windows(entry, name) : Unix(entry, name, now);

    /// <summary>As <c>ls -l</c>: the time of day for the last half year, the year for all else.</summary>
    private static string Unix(TestEntry entry, string name, DateTimeOffset now)
    {
        var time = entry.Modified.UtcDateTime;
        var age = now - entry.Modified;
        var isRecent = age < Recent && age > TimeSpan.FromDays(-1);
        var stamp = time.ToString(isRecent ? "MMM dd HH:mm" : "MMM dd  yyyy", CultureInfo.InvariantCulture);
        var kind = entry.LinkTarget is not null ? 'l' : entry.IsDirectory ? 'd' : '-';
        var links = entry.IsDirectory ? 2 : 1;
        var target = entry.LinkTarget is { Length: > 0 } to ? $" -> {to}" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture,
            $"{kind}{Permissions(entry.Mode)} {links,3} owner    group    {entry.Length,12} {stamp} {name}{target}");
    }

    private static string Windows(TestEntry entry, string name)
    {
        var stamp = entry.Modified.UtcDateTime.ToString("MM-dd-yy  hh:mmtt", CultureInfo.InvariantCulture);
        return entry.IsDirectory
            ? $"{stamp}       <DIR>          {name}"
            : string.Create(CultureInfo.InvariantCulture, $"{stamp} {entry.Length,20} {name}");
    }

    private static string Permissions(UnixFileMode mode)
    {
        Span<char> text = stackalloc char[9];
        for (var bit = 0; bit < 9; bit++) text[bit] = ((int)mode & (0x100 >> bit)) != 0 ? "rwx"[bit % 3] : '-';
        return new string(text);
    }
}
