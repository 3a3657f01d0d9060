namespace Transfer.Filters;

/// <summary>Reads text by code points. Half a surrogate pair stands for itself: names that do not decode have such halves.</summary>
internal static class CodePoints
{
    /// <summary>Takes one code point from the front; the text must not be empty.</summary>
    public static int Take(ref ReadOnlySpan<char> text)
    {
        var pair = text.Length > 1 && char.IsSurrogatePair(text[0], text[1]);
        var c = pair ? char.ConvertToUtf32(text[0], text[1]) : text[0];
        text = text[(pair ? 2 : 1)..];
        return c;
    }
}
