namespace Transfer.Cli.Urls;

/// <summary>Makes arguments showable.</summary>
internal static class UrlRedaction
{
    /// <summary>An argument as it may be shown: a URL without its password, and one that cannot be parsed without anything but its scheme.</summary>
    public static string Redact(string argument)
    {
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
}
