using System.Text;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Files that hold a password or a passphrase. No message repeats anything of them, nor their names: somebody may have given the password
/// instead.
/// </summary>
internal static class SecretFile
{
    private const int MaxLength = 64 * 1024;

    /// <summary>Reads the first line.</summary>
    /// <param name="path">The file.</param>
    /// <param name="option">The option that names it.</param>
    public static string ReadLine(string path, string option)
    {
        try
        {
            using var reader = new StreamReader(path, Encoding.UTF8);
            var buffer = new char[MaxLength];
            var text = buffer.AsSpan(0, reader.ReadBlock(buffer));
            var end = text.IndexOfAny('\r', '\n');
            var line = end < 0 ? text : text[..end];
            if (line.IsEmpty) throw new UsageException($"{option}: the file's first line is empty.");
            return line.ToString();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{option}: the file cannot be read ({e.GetType().Name}).");
        }
    }
}
