using System.Text;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>
/// Divides a line of a script into words: at blanks, with '…' literal and "…" for a word with blanks in it, a doubled quote inside for
/// one, ${NAME} for a variable's value, and # before a remark. A backslash is what it is, since Windows' paths have them.
/// </summary>
internal static class ScriptWords
{
    /// <summary>Divides a line.</summary>
    /// <param name="line">The line.</param>
    /// <param name="value">The value of a variable, which is never divided again.</param>
    /// <exception cref="UsageException">A quote or a brace is not closed.</exception>
    public static IReadOnlyList<string> Split(string line, Func<string, string> value)
    {
        var words = new List<string>();
        var at = 0;
        while (true)
        {
            while (at < line.Length && char.IsWhiteSpace(line[at])) at++;
            if (at == line.Length || line[at] == '#') return words;
            words.Add(Word(line, ref at, value));
        }
    }

    private static string Word(string line, ref int at, Func<string, string> value)
    {
        var word = new StringBuilder();
        while (at < line.Length && !char.IsWhiteSpace(line[at]))
        {
            if (line[at] is '\'' or '"') Quoted(line, ref at, value, word);
            else Plain(line, ref at, value, word);
        }

        return word.ToString();
    }

    private static void Quoted(string line, ref int at, Func<string, string> value, StringBuilder word)
    {
        var quote = line[at++];
        while (true)
        {
            if (at == line.Length) throw new UsageException($"A {quote} is not closed.");
            if (line[at] != quote && quote == '"')
            {
                Plain(line, ref at, value, word);
                continue;
            }

            if (line[at] == quote && (++at == line.Length || line[at] != quote)) return;
            word.Append(line[at++]);
        }
    }

    private static void Plain(string line, ref int at, Func<string, string> value, StringBuilder word)
    {
        if (!line.AsSpan(at).StartsWith("${"))
        {
            word.Append(line[at++]);
            return;
        }

        var end = line.IndexOf('}', at);
        if (end < 0) throw new UsageException("A ${ is not closed.");
        word.Append(value(line[(at + 2)..end]));
        at = end + 1;
    }
}
