using System.Text.RegularExpressions;

namespace Transfer.Wan.Reports.Text;

/// <summary>What programs say, without the folders of the machine on which they said it.</summary>
internal static partial class MachinePaths
{
    /// <summary>
    /// Of absolute paths, also of those in URLs, only the last name stays: <c>…/f00001.bin</c>. Hosts and ports stay, and so does what has
    /// been shortened before.
    /// </summary>
    public static string Shorten(string text) => Folders().Replace(text, path => "…/" + path.Groups["last"].Value);

    // A path begins where no word and no other path does, or behind a URL's host.
    [GeneratedRegex("""(?:(?<![\w/.…~-])|(?<=://[^/\s]*))(?:/[^\s/:;,"'`<>|()]+)+/(?<last>[^\s/:;,"'`<>|()]+)/?""")]
    private static partial Regex Folders();
}
