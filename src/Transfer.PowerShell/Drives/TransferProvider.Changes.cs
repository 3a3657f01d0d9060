using System.Management.Automation;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    /// <inheritdoc/>
    protected override object RemoveItemDynamicParameters(string path, bool recurse) => new CommandMemory();

    /// <inheritdoc/>
    protected override void RemoveItem(string path, bool recurse)
    {
        var drive = DriveOf(path);
        if (TransferDrive.RelativeOf(path).Length == 0)
        {
            WriteError(Record(new TransferException(TransferError.Denied, $"{path} is the root of a drive, and is not deleted by it."),
                path));
            return;
        }
        var selects = recurse && HasFilter && IsItemContainer(path);
        if (!ShouldProcess(path, selects ? $"Delete files that match {Filter}" : recurse ? "Delete with all that is in it" : "Delete"))
            return;
        if (selects) RemoveSelected(drive, path);
        else Try(drive, path, token => drive.Client.DeleteAsync(drive.RemoteOf(path), recurse, token).AsTask());
    }

    /// <inheritdoc/>
    protected override void RenameItem(string path, string newName)
    {
        ArgumentException.ThrowIfNullOrEmpty(newName);
        if (newName.Contains('/', StringComparison.Ordinal)
            || (OperatingSystem.IsWindows() && newName.Contains('\\', StringComparison.Ordinal)))
        {
            WriteError(Record(new ArgumentException($"'{newName}' is a path; a new name is one. Move-Item moves into other folders."),
                path));
            return;
        }
        var (drive, target) = (DriveOf(path), MakePath(GetParentPath(path, null), newName));
        Move(drive, path, drive.RemoteOf(path), target, drive.RemoteOf(target), "Rename");
    }

    /// <inheritdoc/>
    protected override void NewItem(string path, string itemTypeName, object newItemValue)
    {
        var (drive, kind) = (DriveOf(path), new WildcardPattern($"{itemTypeName}*", WildcardOptions.IgnoreCase));
        var remote = drive.RemoteOf(path);
        if (string.IsNullOrEmpty(itemTypeName) || kind.IsMatch("File"))
        {
            if (!ShouldProcess(path, "Create file")) return;
            var bytes = newItemValue is null ? [] : WriteParameters.Plain.GetBytes(LanguagePrimitives.ConvertTo<string>(newItemValue));
            var options = new UploadOptions { Overwrite = Force ? OverwriteMode.Always : OverwriteMode.Fail, CreateDirectories = Force };
            if (Try(drive, path, token => WriteAllAsync(drive, remote, bytes, options, token))) WriteNew(path);
        }
        else if (kind.IsMatch("Directory") || kind.IsMatch("Container"))
        {
            if (!ShouldProcess(path, "Create folder")) return;
            var isMade = Try(drive, path, async token =>
            {
                if (!Force && await drive.Client.ExistsAsync(remote, token).ConfigureAwait(false))
                    throw new TransferException(TransferError.Exists, $"{path} exists.") { RemotePath = remote };
                await drive.Client.CreateDirectoryAsync(remote, parents: true, token).ConfigureAwait(false);
            });
            if (isMade) WriteNew(path);
        }
        else
        {
            WriteError(Record(new TransferException(TransferError.Unsupported,
                $"'{itemTypeName}' is not made on a drive of a server: File and Directory are."), path));
        }
    }

    /// <inheritdoc/>
    protected override object CopyItemDynamicParameters(string path, string destination, bool recurse)
    {
        RefuseOther("Copy-Item", path, destination);
        return new CommandMemory();
    }

    /// <inheritdoc/>
    protected override void CopyItem(string path, string copyPath, bool recurse)
    {
        if (EntryOf(path) is not { } entry)
        {
            WriteError(Record(NotThere(path), path));
            return;
        }
        var isFolder = entry.Type == RemoteEntryType.Directory;
        var target = TakesFiles(copyPath) ? MakePath(copyPath, GetChildName(path)) : copyPath;
        var (from, to) = (DriveOf(path), DriveOf(target));
        if (!ShouldProcess($"{path} to {target}", isFolder ? "Copy folder" : "Copy")) return;
        var (source, destination) = (from.RemoteOf(path), to.RemoteOf(target));
        // As Copy-Item does with local folders: without -Recurse only the folder itself.
        var isCopied = isFolder && !recurse
            ? Try(to, target, token => to.Client.CreateDirectoryAsync(destination, parents: false, token).AsTask())
            : isFolder && (HasFilter || Exclude is { Count: > 0 }) ? CopySelected(from, path, to, destination)
            : TryRun(from, path, running => Follow(running, path, isFolder
                ? from.Client.StartCopyDirectory(source, to.Client, destination, new() { Overwrite = OverwriteMode.Always },
                    readItems: true, cancellationToken: running.StopToken)
                : from.Client.StartCopyFile(source, to.Client, destination, new() { Overwrite = OverwriteMode.Always }, readItems: true,
                    cancellationToken: running.StopToken)));
        if (isCopied) WriteNew(target);
    }

    // False: a part of the job failed, and the error is written.
    private bool Follow(PipelineWork running, string path, TransferJob job, string activity = "Copying")
    {
        var (isWhole, progress) = (true, new JobProgress(WriteProgress, $"{activity} {path}", withLanes: false));
        try
        {
            var completion = Task.Run(() => job.Completion);
            running.Stream(token => job.ReadItemsAsync(token), item =>
            {
                progress.Show([job]);
                if (item.Error is not { } error) return;
                isWhole = false;
                WriteError(Record(error, item.Path));
            });
            running.Await(_ => completion);
        }
        finally
        {
            // The job first: taking the progress away fails where the pipeline is being stopped.
            JobEnds.Wait([job]);
            progress.End();
        }
        return isWhole;
    }

    private static async Task WriteAllAsync(TransferDrive drive, string remote, byte[] bytes, UploadOptions options, CancellationToken ct)
    {
        var content = await drive.Client.OpenWriteAsync(remote, options, ct).ConfigureAwait(false);
        await using var end = content.ConfigureAwait(false);
        await content.WriteAsync(bytes, ct).ConfigureAwait(false);
        await content.CommitAsync(ct).ConfigureAwait(false);
    }
}
