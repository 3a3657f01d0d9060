namespace Transfer.Local;

/// <summary>Decides which texts of links from an untrusted source are harmless. A set of rules, so that every system's can be tested on
/// any.</summary>
internal static class LinkTargets
{
    /// <summary>Why a link may not have a text; null: the link stays within the folder, whichever entries are made there.</summary>
    /// <param name="depth">The number of directories from the folder's root to the link.</param>
    /// <param name="text">The text of the link.</param>
    /// <param name="windows">Whether Windows' rules apply: backslashes and drives too.</param>
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

            // Behind a name, up need not lead back: the name may be a link, now or later.
            if (down) return "it goes up again behind a name";
            if (--depth < 0) return "it leads out of the folder";
        }
        return null;
    }
}
