namespace Transfer.ServerTests.Support;

/// <summary>Names that are valid on the servers' disks and easily broken on the way there.</summary>
public static class OddNames
{
    /// <summary>Fine everywhere but on Pure-FTPd, which calls it a prohibited file name (553).</summary>
    public const string Backslash = "back\\slash";

    public static readonly string[] All =
    [
        "with space",
        "two  spaces",
        " leading space",
        "quote\"double",
        "quote'single",
        "\"quoted\"",
        "-leading-dash",
        "--help",
        "-rf",
        "trailing dot.",
        "...three dots",
        ".hidden",
        "~tilde",
        "~",
        "per%cent%20",
        "hash#tag",
        "question?mark",
        "semi;colon",
        "a=b;c=d",
        "star*",
        "[brackets]{braces}",
        "dollar$HOME",
        "`tick`",
        "pipe|amp&lt<gt>",
        "a -> b",
        "comma,plus+at@colon:",
        "drwxr-xr-x 2 1 1 4096 Jan 01 2020 fake",
        "Type=file;Size=1; fake",
        "ünïcödé",
        "日本語のファイル名",
        "emoji 🚀",
        "de\u0301compose\u0301",
        "кириллица",
        "no-break\u00a0space",
        new('n', 200),
        string.Concat(Enumerable.Repeat("é", 100)),
    ];

    /// <summary>Those that a folder may have too: ProFTPD calls an asterisk an invalid directory name (550).</summary>
    public static readonly string[] Folders = [.. All.Where(name => !name.Contains('*', StringComparison.Ordinal))];
}
