using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    /// <inheritdoc/>
    protected override bool IsValidPath(string path) => true;

    /// <inheritdoc/>
    protected override bool ItemExists(string path)
    {
        try
        {
            return TransferDrive.RelativeOf(path).Length == 0 || EntryOf(path) is not null;
        }
        catch (ProviderInvocationException e)
        {
            // PowerShell takes an exception for "no" and drops it: the error is written, so that the reason is visible.
            WriteError(e.ErrorRecord);
            return false;
        }
    }

    /// <inheritdoc/>
    protected override object? ItemExistsDynamicParameters(string path) => new CommandMemory { FollowsLinks = true };

    /// <inheritdoc/>
    protected override object? GetItemDynamicParameters(string path) => new CommandMemory();

    /// <inheritdoc/>
    protected override void GetItem(string path)
    {
        if (EntryOf(path) is not { } entry) WriteError(Record(NotThere(path), path));
        else if (DynamicParameters is not ListParameters parameters || parameters.Takes(entry)) WriteEntry(entry, path);
    }

    // Null: the entry does not exist, or no request can name the path. A failed look ends the command: a failure is no answer.
    private RemoteEntry? EntryOf(string path)
    {
        var drive = DriveOf(path);
        var remote = drive.RemoteOf(path);
        if (EntryNames.WhyUnsendable(remote) is not null) return null;
        if ((DynamicParameters as CommandMemory)?.Find(remote) is { } seen) return seen;
        var entry = Await(drive, path, token => drive.Client.GetEntryAsync(remote, token).AsTask());
        // A server may not describe its root, which has no parent; the root was seen when the drive was made.
        return entry ?? (TransferDrive.RelativeOf(path).Length == 0
            ? new() { Path = remote.Length == 0 ? "/" : remote, Type = RemoteEntryType.Directory } : null);
    }

    private void WriteEntry(RemoteEntry entry, string path) =>
        WriteItemObject(new TransferDriveItem(entry, DriveOf(path).Server), path, entry.Type == RemoteEntryType.Directory);

    private static TransferException NotThere(string path) => EntryNames.WhyUnsendable(path)
        ?? new(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path };
}
