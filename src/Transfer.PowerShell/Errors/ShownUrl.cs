using System.Management.Automation;

namespace Transfer.PowerShell.Errors;

/// <summary>Makes URLs showable: error records stay in <c>$Error</c>, and transcripts and reports repeat them.</summary>
internal static class ShownUrl
{
    private const string Slashes = "://";

    /// <summary>A target object without the password of a URL; any other object unchanged.</summary>
    public static object? Of(object? target) => target switch
    {
        PSObject { BaseObject: Uri or string } wrapped => Of(wrapped.BaseObject),
        Uri { IsAbsoluteUri: true } uri when uri.UserInfo.Contains(':', StringComparison.Ordinal) => WithoutPassword(uri),
        Uri uri => Mistyped(uri.OriginalString) is var shown && shown == uri.OriginalString ? uri : shown,
        string text when text.Contains(Slashes, StringComparison.Ordinal) => Text(text),
        _ => target,
    };

    /// <summary>A value that is to name a server, without the password of a URL, be it one without a scheme.</summary>
    public static object? Server(object? given) => given switch
    {
        PSObject { BaseObject: string text } => Text(text),
        string text => Text(text),
        _ => Of(given),
    };

    /// <summary>A text that is to be a URL, without the password.</summary>
    public static string Text(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.UserInfo.Contains(':', StringComparison.Ordinal)
            ? WithoutPassword(uri).ToString() : Mistyped(text);

    private static Uri WithoutPassword(Uri uri) => new UriBuilder(uri) { Password = string.Empty }.Uri;

    // A password that should have been encoded, or a scheme that was forgotten: all before the host may belong to it. In a URL that is
    // well-formed an @ may be in the path.
    private static string Mistyped(string text)
    {
        var from = text.IndexOf(Slashes, StringComparison.Ordinal) is >= 0 and var slashes ? slashes + Slashes.Length : 0;
        if (from > 0 && Uri.TryCreate(text, UriKind.Absolute, out _)) return text;
        var at = text.LastIndexOf('@');
        return at > from && text.AsSpan(from, at - from).Contains(':') ? text[..from] + "..." + text[at..] : text;
    }
}
