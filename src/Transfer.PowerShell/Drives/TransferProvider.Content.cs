using System.Management.Automation.Provider;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    /// <inheritdoc/>
    public object GetContentReaderDynamicParameters(string path) => new ReadParameters();

    /// <inheritdoc/>
    public object GetContentWriterDynamicParameters(string path) => new WriteParameters();

    /// <inheritdoc/>
    public object? ClearContentDynamicParameters(string path) => null;

    /// <inheritdoc/>
    public IContentReader? GetContentReader(string path)
    {
        if (IsFolder(path, "read")) return null;
        var drive = DriveOf(path);
        var work = new DriveWork(this, drive, path);
        var content = work.Await(token => drive.Client.OpenReadAsync(drive.RemoteOf(path), new() { Sequential = true }, token).AsTask());
        return new DriveContentReader(work, content, DynamicParameters as ReadParameters ?? new());
    }

    /// <inheritdoc/>
    public IContentWriter? GetContentWriter(string path)
    {
        if (IsFolder(path, "written")) return null;
        var drive = DriveOf(path);
        return new DriveContentWriter(new(this, drive, path), drive, drive.RemoteOf(path), DynamicParameters as WriteParameters ?? new());
    }

    /// <inheritdoc/>
    public void ClearContent(string path)
    {
        // Set-Content clears a file before writing. Here a file is replaced only when the new file is complete.
        if (DynamicParameters is WriteParameters || IsFolder(path, "cleared")) return;
        var drive = DriveOf(path);
        if (ShouldProcess(path, "Clear content"))
            Try(drive, path, token => WriteAllAsync(drive, drive.RemoteOf(path), [], new() { Overwrite = OverwriteMode.Always }, token));
    }

    private bool IsFolder(string path, string what)
    {
        if (!TakesFiles(path)) return false;
        WriteError(Record(new TransferException(TransferError.Unsupported,
            $"{path} is a folder, whose content is not {what}.")
        { RemotePath = path }, path));
        return true;
    }
}
