namespace Transfer.Local;

/// <summary>Paths on Windows and macOS, whose file systems have only Unicode names.</summary>
internal static class PlainPath
{
    /// <summary>The path itself, for System.IO.</summary>
    /// <exception cref="NotSupportedException">The path stands for bytes that are no text: another name would be meant.</exception>
    public static string Of(string path) =>
        NameBytes.AreText(path) ? path
        : throw new NotSupportedException($"'{PrintableText.Of(path)}' is no text (Unicode): no name is such here.");
}
