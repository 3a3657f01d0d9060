namespace Transfer.Wan.Reports.Text;

/// <summary>Words put together.</summary>
internal static class Sentences
{
    /// <summary><c>a</c>, <c>a and b</c>, <c>a, b and c</c>.</summary>
    public static string List(IEnumerable<string> words)
    {
        string[] all = [.. words];
        return all.Length < 2 ? string.Concat(all) : $"{string.Join(", ", all[..^1])} and {all[^1]}";
    }

    /// <summary>A name as code: <c>`transfer --sessions 1`</c>.</summary>
    public static string Code(string name) => $"`{name.Replace('`', '\'')}`";

    public static string Capital(string sentence) => sentence.Length == 0 ? sentence : char.ToUpperInvariant(sentence[0]) + sentence[1..];
}
