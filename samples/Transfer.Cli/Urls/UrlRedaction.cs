using System.Buffers;

namespace Transfer.Cli.Urls;

/// <summary>Makes arguments showable.</summary>
internal static class UrlRedaction
{
    // Somewhat less than a token has: one that was cut off is not shown either.
    private const int LeastToken = 80;

    private static readonly SearchValues<char> Base64Url =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    /// <summary>
    /// An argument as it may be shown: a URL without its password, and one that cannot be parsed without anything but its scheme.
    /// </summary>
    public static string Redact(string argument)
    {
        argument = WithoutToken(argument);
        if (Scheme.IsUrl(argument))
        {
            try
            {
                return UrlParser.Parse(argument).Redacted;
            }
            catch (UsageException)
            {
                return argument[..argument.IndexOf(':', StringComparison.Ordinal)] + "://...";
            }
        }

        // Not a URL by its scheme, but it might be one that was mistyped.
        var at = argument.LastIndexOf('@');
        return at > 0 && argument.AsSpan(0, at).Contains(':') ? "..." + argument[at..] : argument;
    }

    // A receiver's address whose scheme was forgotten is one all the same.
    private static string WithoutToken(string argument)
    {
        var hash = argument.LastIndexOf('#');
        if (hash < 0) return argument;
        var rest = argument.AsSpan(hash + 1);
        var end = rest.IndexOfAnyExcept(Base64Url);
        return (end < 0 ? rest.Length : end) >= LeastToken ? argument[..(hash + 1)] + "..." : argument;
    }
}
