using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    /// <summary>
    /// Whether a path is a folder. Test-Path follows a link, and Set-Location, which gives no parameters. Other commands work on the link
    /// itself, as a recursive one would otherwise enter a folder that lies elsewhere.
    /// </summary>
    protected override bool IsItemContainer(string path) =>
        DynamicParameters is null or CommandMemory { FollowsLinks: true } ? TakesFiles(path) : IsFolderItself(path);

    /// <summary>The last part of a path, by its text: PowerShell's own implementation looks for each part at the server.</summary>
    protected override string GetChildName(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var trimmed = path.TrimEnd(System.IO.Path.DirectorySeparatorChar, '/');
        var end = OperatingSystem.IsWindows() ? trimmed.LastIndexOfAny(['/', '\\']) : trimmed.LastIndexOf('/');
        return trimmed[(end + 1)..];
    }

    /// <inheritdoc/>
    protected override object? MoveItemDynamicParameters(string path, string destination)
    {
        RefuseOther("Move-Item", path, destination);
        return new CommandMemory();
    }

    /// <inheritdoc/>
    protected override void MoveItem(string path, string destination)
    {
        var (from, to) = (DriveOf(path), DriveOf(destination));
        var (source, target) = (from.RemoteOf(path), to.RemoteOf(destination));
        if (from.Server != to.Server)
        {
            var command = $"Copy-TransferFile {CommandText.Quoted(source)} {CommandText.Quoted(target)}"
                + $" -Server {CommandText.Quoted(from.Server.Name)} -ToServer {CommandText.Quoted(to.Server.Name)}";
            WriteError(Record(new TransferException(TransferError.Unsupported,
                $"{path}: nothing is moved from one server to another. Copy it, and remove it then: {command}"), path));
            return;
        }
        if (TakesFiles(destination))
            (destination, target) = (MakePath(destination, GetChildName(path)), RemotePath.Combine(target, GetChildName(path)));
        Move(from, path, source, destination, target, "Move");
    }

    private bool IsFolderItself(string path) =>
        TransferDrive.RelativeOf(path).Length == 0 || EntryOf(path)?.Type == RemoteEntryType.Directory;

    // A folder, or a link to one.
    private bool TakesFiles(string path)
    {
        if (IsFolderItself(path)) return true;
        var drive = DriveOf(path);
        return EntryOf(path) is { Type: RemoteEntryType.Link } link
            && Await(drive, path, token => DestinationFolders.IsFolderAsync(drive.Client, drive.RemoteOf(path), link, token));
    }

    private void Move(TransferDrive drive, string path, string source, string destination, string target, string action)
    {
        if (!ShouldProcess($"{path} to {destination}", action)) return;
        if (Try(drive, path, token => drive.Client.MoveAsync(source, target, Force, token).AsTask())) WriteNew(destination);
    }

    // Written for -PassThru; PowerShell drops the object otherwise, and gives no sign of that before.
    private void WriteNew(string path)
    {
        var drive = DriveOf(path);
        if (Await(drive, path, token => drive.Client.GetEntryAsync(drive.RemoteOf(path), token).AsTask()) is { } entry)
            WriteEntry(entry, path);
    }
}
