using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;

namespace Transfer.Names;

/// <summary>Judges the names in a server's listing before they become local paths.</summary>
internal static class ListedNames
{
    /// <summary>
    /// The name exactly as listed. <see cref="RemoteEntry.Name"/> would hide the folders in a name such as <c>../../x</c>.
    /// </summary>
    public static string NameOf(string directory, RemoteEntry entry)
    {
        var prefix = directory.EndsWith('/') ? directory : directory + "/";
        return entry.Path.StartsWith(prefix, StringComparison.Ordinal) ? entry.Path[prefix.Length..] : entry.Path;
    }

    /// <summary>Whether an entry's name can be used. False, and logged: no directory can hold such a name, which leads elsewhere.</summary>
    public static bool IsUsable(string directory, RemoteEntry entry, ILogger logger)
    {
        if (Refuse(NameOf(directory, entry)) is null) return true;
        Log.NameRefused(logger, directory, entry.Path);
        return false;
    }

    /// <summary>Returns why no directory of any system can hold this name; null: valid.</summary>
    public static string? Refuse(string name) => name switch
    {
        "" => "a name may not be empty",
        "." or ".." => "the name leads to another folder",
        _ when name.Contains('/') => "a name may not contain a slash",
        _ when name.Contains('\0') => "a name may not contain NUL",
        _ => null,
    };

    /// <summary>Returns why this name cannot be sent to any server; null: sendable. See <see cref="RemotePath.ThrowIfInvalid"/>.</summary>
    public static string? RefuseLineEnd(string name) =>
        name.AsSpan().ContainsAny('\r', '\n') ? "a remote name may not contain CR or LF" : null;
}
