using System.Management.Automation;

namespace Transfer.PowerShell.Drives;

/// <summary>
/// A folder of a server as a drive. Paths within PowerShell begin with the drive's name and a colon, so that an item's path names its
/// drive.
/// </summary>
public sealed class TransferDrive : PSDriveInfo
{
    private readonly string _folder;

    internal TransferDrive(PSDriveInfo given, TransferServer server, string folder, bool ownsServer)
        : base(given.Name, given.Provider, RootOf(given.Name), given.Description, given.Credential, Shown(server, folder)) =>
        (Server, _folder, OwnsServer) = (server, folder, ownsServer);

    /// <summary>The server of the drive: <c>-Server</c> of the cmdlets takes the server, or the name.</summary>
    public TransferServer Server { get; }

    // The server was connected for the drive, and is closed with the drive.
    internal bool OwnsServer { get; }

    internal TransferClient Client => !Server.IsClosed ? Server.Client : throw ClosedError();

    /// <summary>The name of the drive that a path begins with; null: none.</summary>
    internal static string? NameIn(string path) => path.IndexOf(':', StringComparison.Ordinal) is > 0 and var end ? path[..end] : null;

    /// <summary>The part of a path below the drive's root, separated by slashes; empty: the root.</summary>
    internal static string RelativeOf(string path)
    {
        var below = NameIn(path) is { } name ? path[(name.Length + 1)..] : path;
        // PowerShell's separator on Windows; elsewhere a character of names.
        if (OperatingSystem.IsWindows()) below = below.Replace('\\', '/');
        return below.Trim('/');
    }

    /// <summary>The path at the server of a path of the drive.</summary>
    internal string RemoteOf(string path) =>
        RelativeOf(path) is { Length: > 0 } relative ? RemotePath.Combine(_folder, relative) : _folder;

    /// <summary>The error of a command that works at the drive, once the server is closed.</summary>
    internal TransferException ClosedError(Exception? cause = null) => new(TransferError.Lost,
        $"The server of the drive {Name}: is closed. Remove the drive (Remove-PSDrive {Name}), and make it again.", cause);

    private static string RootOf(string name) => $"{name}:";

    private static string Shown(TransferServer server, string folder) =>
        folder.StartsWith('/') ? new Uri(server.Uri, folder).ToString() : server.Uri.ToString();
}
