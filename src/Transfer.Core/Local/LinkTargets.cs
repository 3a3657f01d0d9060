namespace Transfer.Local;

/// <summary>Which texts of links from a stranger are harmless. A set of rules, so that every system's can be tested on any.</summary>
internal static class LinkTargets
{
    /// <summary>Why a link may not have a text; null: it stays within the folder, whatever else is made in that.</summary>
    /// <param name="depth">How many directories below the folder's root the link is.</param>
    /// <param name="text">Where it would lead.</param>
    /// <param name="windows">Windows' rules: backslashes and drives too.</param>
    public static string? Refuse(int depth, string text, bool windows)
    {
        if (text.Length == 0 || text.Contains('\0')) return "it is empty, or has NUL in it";
        if (text[0] == '/' || windows && (text[0] == '\\' || text.Length > 1 && text[1] == ':')) return "it is absolute";
        var down = false;
        foreach (var component in text.Split(windows ? ['/', '\\'] : ['/'], StringSplitOptions.RemoveEmptyEntries))
        {
            if (component == ".") continue;
            if (component != "..")
            {
                down = true;
                continue;
            }

            // Behind a name, up is not where it looks: the name may be a link, now or later.
            if (down) return "it goes up again behind a name";
            if (--depth < 0) return "it leads out of the folder";
        }
        return null;
    }
}
