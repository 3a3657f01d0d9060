using System.Buffers;
using System.Text;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// Reads the log-in folder in the reply to PWD, in the server's own form: <c>/home/user</c>, <c>'USER.'</c> (z/OS), <c>DISK:[USER]</c>
/// (VMS), <c>C:\user</c>.
/// </summary>
internal static class FtpHome
{
    // Words of a sentence hold none of these.
    private static readonly SearchValues<char> OfPaths = SearchValues.Create("/\\:[]'");

    /// <summary>
    /// The folder of a 257 reply: in quotes, quotes inside doubled (RFC 959 appendix II); without quotes, the first word that is a path.
    /// Null when the reply holds none: the root instead would send a deletion to another folder.
    /// </summary>
    public static string? Of(FtpReply reply)
    {
        if (reply.Code != 257) return null;
        // Of several lines any may hold the folder.
        var quoted = reply.Lines.FirstOrDefault(line => line.Contains('"', StringComparison.Ordinal));
        var path = quoted is null ? reply.Lines.Select(Unquoted).FirstOrDefault(word => word.Length > 0)
            : Quoted(quoted, quoted.IndexOf('"', StringComparison.Ordinal) + 1);
        return path is { Length: > 0 } ? path : null;
    }

    /// <summary>Whether names below the folder can be joined with its path by slashes.</summary>
    public static bool IsSlashPath(string home) => home.StartsWith('/');

    private static string Quoted(string text, int start)
    {
        var path = new StringBuilder();
        for (var i = start; i < text.Length; i++)
        {
            if (text[i] != '"') path.Append(text[i]);
            else if (i + 1 < text.Length && text[i + 1] == '"') path.Append(text[i++]);
            else break;
        }
        return path.ToString();
    }

    private static string Unquoted(string text)
    {
        foreach (var word in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            // Apostrophes are z/OS's, around names without slashes, or the sentence's.
            if (word.Length > 2 && word.StartsWith("'/", StringComparison.Ordinal) && word[^1] == '\'') return word[1..^1];
            // A colon at the end is the sentence's: "Current directory: /home".
            if (word.AsSpan().IndexOfAny(OfPaths) is >= 0 and var at && (at < word.Length - 1 || word[at] is '/' or ']')) return word;
        }
        return string.Empty;
    }
}
