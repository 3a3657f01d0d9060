using System.Buffers;
using System.Text;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Remote paths in the form for a shell at the host.</summary>
internal static class HostPath
{
    // The bytes that any shell, in any locale, reads as themselves.
    private static readonly SearchValues<byte> Plain =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-"u8);

    /// <summary>Whether a command can use the path; false for another user's log-in folder, which only the server can name.</summary>
    public static bool IsKnown(string path) =>
        !path.StartsWith(RemotePath.Home, StringComparison.Ordinal) || path.Length == 2 || path[2] == '/';

    /// <summary>Returns a line with the path: special bytes are octal numbers, as printf's <c>%b</c> reads them.</summary>
    public static byte[] Line(string path, Encoding names)
    {
        // A command begins in the log-in folder.
        var there = path == RemotePath.Home
            ? "." : path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal) ? "." + path[RemotePath.Home.Length..] : path;
        var line = new StringBuilder();
        foreach (var value in names.GetBytes(there))
        {
            if (Plain.Contains(value)) line.Append((char)value);
            else line.Append('\\').Append('0').Append(Convert.ToString(value, 8).PadLeft(3, '0'));
        }
        return Encoding.ASCII.GetBytes(line.Append('\n').ToString());
    }
}
