using System.Diagnostics.CodeAnalysis;

namespace Transfer.Fleet;

/// <summary>
/// A folder that a plan names: a server of the configuration, and a path below that server's URL, as <c>backup:photos/2024</c>. So no plan
/// has a log-in, and none leads out of the folders of the configuration.
/// </summary>
/// <param name="Server">The server's name.</param>
/// <param name="Path">The path, relative, with forward slashes; empty: the folder of the URL.</param>
internal sealed record FleetPlace(string Server, string Path)
{
    /// <summary>The form, for messages.</summary>
    public const string Form = "a server's name, a colon and a path below its URL, such as backup:photos";

    /// <summary>Reads a place.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out FleetPlace? place)
    {
        place = null;
        var colon = text?.IndexOf(':', StringComparison.Ordinal) ?? -1;
        if (colon < 0 || !IsName(text![..colon])) return false;
        var path = text[(colon + 1)..].TrimEnd('/');
        if (path.Length > 1000 || path.Any(char.IsControl) || path.Contains('\\', StringComparison.Ordinal)) return false;
        if (path.Length > 0 && path.Split('/').Any(part => part is "" or "." or "..")) return false;
        place = new(text[..colon], path);
        return true;
    }

    /// <summary>Whether this is a name of a server or a plan: usable in keys, folders and URLs as it is.</summary>
    public static bool IsName([NotNullWhen(true)] string? name) =>
        name is { Length: > 0 and <= 60 } && name.All(c => char.IsAsciiLetterOrDigit(c) || c == '-');
}
