using System.Buffers;
using System.Globalization;
using System.Text;

namespace Transfer.Sftp.Session;

/// <summary>
/// The script that hashes files, for any POSIX shell's standard input: a log-in shell of any kind then reads only a word or two, and no
/// limit of a command line applies. The output is the marker, the current folder, and a line for each file: its number, and 64 hex digits
/// or nothing.
/// </summary>
internal static class ShellScript
{
    public const string Command = "sh -s";

    // Programs that hash standard input: GNU's and busybox's; perl's, as on macOS; BSD's; OpenSSL's. No file name reaches them, whatever
    // its first character.
    private const string Hashers = """
        if command -v sha256sum >/dev/null 2>&1; then h() { sha256sum; }
        elif command -v shasum >/dev/null 2>&1; then h() { shasum -a 256; }
        elif command -v sha256 >/dev/null 2>&1; then h() { sha256 -q; }
        elif command -v openssl >/dev/null 2>&1; then h() { openssl dgst -sha256 -r; }
        else exit 1; fi

        """;

    public static byte[] Write(string marker, IEnumerable<byte[]> paths)
    {
        var script = new ArrayBufferWriter<byte>();
        Add(script, Hashers.ReplaceLineEndings("\n"));
        // The shell's start-up script or greeting may have left an unfinished line.
        Add(script, $"printf '\\n%s\\n%s\\n' {marker} \"$(pwd -P)\"\n");
        var number = 0;
        foreach (var path in paths)
        {
            Add(script, string.Create(CultureInfo.InvariantCulture, $"printf '%s %s\\n' {number++} \"$(h <"));
            Quote(script, path);
            Add(script, " 2>/dev/null)\"\n");
        }
        return script.WrittenSpan.ToArray();
    }

    /// <summary>
    /// Quotes a path: within single quotes only the single quote is special (POSIX, Shell Command Language, section 2.2.2).
    /// </summary>
    private static void Quote(ArrayBufferWriter<byte> script, ReadOnlySpan<byte> text)
    {
        script.Write("'"u8);
        foreach (var b in text)
        {
            if (b == (byte)'\'') script.Write("'\\''"u8);
            else script.Write([b]);
        }
        script.Write("'"u8);
    }

    private static void Add(ArrayBufferWriter<byte> script, string text) => script.Write(Encoding.ASCII.GetBytes(text));
}
