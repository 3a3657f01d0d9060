using Transfer.Local;
using Transfer.Local.Native;

namespace Transfer;

/// <summary>
/// Local paths of this API. On Linux names are bytes: one that is no UTF-8 stands in a path as decoded by
/// <see cref="NameEncoding.LosslessUtf8"/>, which the calls of <see cref="System.IO"/> neither give nor understand. Every other path is the
/// usual one.
/// </summary>
public static class LocalPath
{
    private const int LongestPath = 64 << 10;

    /// <summary>A full path: relative ones are in the working directory, and <c>.</c> and <c>..</c> are resolved as text.</summary>
    /// <param name="path">Any path.</param>
    /// <exception cref="ArgumentException">The path is empty or contains NUL.</exception>
    public static string Full(string path) =>
        !OperatingSystem.IsLinux() || Path.IsPathFullyQualified(path) ? Path.GetFullPath(path) : Path.GetFullPath(path, WorkingDirectory());

    /// <summary>The entry at a path, behind links, with type, length and time; null: there is none, or none that may be looked
    /// at.</summary>
    /// <param name="path">Any path.</param>
    public static RemoteEntry? Find(string path)
    {
        if (path.Length == 0 || FileStatus.TryFind(Full(path), follow: true) is not { } status) return null;
        return new RemoteEntry
        {
            Path = path,
            Type = status.Type,
            Length = status.IsRegular ? status.Length : null,
            Modified = status.Modified
        };
    }

    /// <summary>Whether a folder is at a path, behind links too.</summary>
    /// <param name="path">Any path.</param>
    public static bool IsDirectory(string path) => Find(path) is { Type: RemoteEntryType.Directory };

    /// <summary>
    /// Whether a path can be a folder's only: the text ends in a separator, or in a part that is <c>.</c> or <c>..</c>. An absent folder is
    /// no file's name then, which each of several downloads would replace.
    /// </summary>
    /// <param name="path">Any path.</param>
    public static bool NamesDirectory(string path) => Path.GetFileName(path) is "" or "." or "..";

    /// <summary>Makes a folder and those above, where missing.</summary>
    /// <param name="path">Any path.</param>
    /// <exception cref="TransferException">The folder can't be made.</exception>
    public static void CreateDirectory(string path)
    {
        var full = Full(path);
        try
        {
            DiskDirectories.Create(full);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot create the folder", full);
        }
    }

    /// <summary>
    /// A name or path as valid Unicode, for formats that escape control characters themselves, such as JSON: a byte that is no UTF-8
    /// becomes <c>\x</c> and two hexadecimal digits (<see cref="BytesOf"/> has the byte), everything else stays. For people there is
    /// <see cref="PrintableText"/>.
    /// </summary>
    /// <param name="name">Any name or path, local or remote.</param>
    public static string TextOf(string name) => NameBytes.TextOf(name);

    /// <summary>The bytes of a name or path, where they are no UTF-8; null: the text is exact.</summary>
    /// <param name="name">Any name or path, local or remote.</param>
    public static byte[]? BytesOf(string name) => NameBytes.AreText(name) ? null : NameEncoding.LosslessUtf8.GetBytes(name);

    /// <summary>
    /// The exact arguments of this process. .NET replaces bytes that are no UTF-8 by U+FFFD; arguments with such a character are taken from
    /// the system.
    /// </summary>
    /// <param name="arguments">The arguments of <c>Main</c>, the last ones of the process.</param>
    public static string[] ExactArguments(string[] arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        if (!OperatingSystem.IsLinux() || !arguments.Any(argument => argument.Contains('\uFFFD', StringComparison.Ordinal)))
            return arguments;
        return ProcessArguments.Exact(arguments, ProcessArguments.Read());
    }

    // Environment.CurrentDirectory loses bytes that are no UTF-8.
    private static string WorkingDirectory()
    {
        var path = new byte[LongestPath];
        if (Libc.WorkingDirectoryOf(path, (nuint)path.Length) == 0) throw Errno.LastException(".", isFolder: true);
        return NameEncoding.LosslessUtf8.GetString(path.AsSpan(0, path.AsSpan().IndexOf((byte)0)));
    }
}
