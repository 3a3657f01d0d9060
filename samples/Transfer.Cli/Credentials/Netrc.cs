using System.Globalization;

namespace Transfer.Cli.Credentials;

/// <summary>The .netrc format, as ftp(1) describes it. A pure function of its text.</summary>
internal static class Netrc
{
    /// <summary>Parses the file.</summary>
    /// <exception cref="FormatException">It is not understood. The message names the line and repeats none of it.</exception>
    public static IReadOnlyList<NetrcEntry> Parse(ReadOnlySpan<char> text)
    {
        var reader = new NetrcReader(text);
        var entries = new List<NetrcEntry>();
        try
        {
            while (reader.Next() is { } word)
            {
                if (word.StartsWith('#')) reader.SkipLine();
                else if (word == "macdef") SkipMacro(ref reader);
                else if (word == "default") entries.Add(new NetrcEntry());
                else if (word == "machine") entries.Add(new NetrcEntry { Machine = Value(ref reader, word) });
                else Set(entries.LastOrDefault() ?? throw new FormatException("a word before the first machine"), word, ref reader);
            }
        }
        catch (FormatException e)
        {
            throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"line {reader.Line}: {e.Message}"));
        }

        return entries;
    }

    /// <summary>
    /// The first entry for a host, else the first <c>default</c>; where a user is asked for, only those that are his or name nobody.
    /// </summary>
    public static NetrcEntry? Find(IReadOnlyList<NetrcEntry> entries, string host, string? user)
    {
        bool Fits(NetrcEntry e) => user is null || e.Login is null || e.Login == user;
        return entries.FirstOrDefault(e => string.Equals(e.Machine, host, StringComparison.OrdinalIgnoreCase) && Fits(e))
            ?? entries.FirstOrDefault(e => e.Machine is null && Fits(e));
    }

    private static void Set(NetrcEntry entry, string word, ref NetrcReader reader)
    {
        switch (word)
        {
            case "login":
                entry.Login = Value(ref reader, word);
                break;
            case "password":
                entry.Password = Value(ref reader, word);
                break;
            case "account":
                entry.Account = Value(ref reader, word);
                break;
            default:
                throw new FormatException("a word that is none of machine, default, login, password, account and macdef");
        }
    }

    private static void SkipMacro(ref NetrcReader reader)
    {
        _ = Value(ref reader, "macdef");
        reader.SkipMacro();
    }

    private static string Value(ref NetrcReader reader, string word) =>
        reader.Next() ?? throw new FormatException($"{word} without its value");
}
