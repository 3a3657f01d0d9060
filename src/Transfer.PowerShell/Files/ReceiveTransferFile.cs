using System.Management.Automation;
using Transfer.Local;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>Fetches files and folders of a server. All files of a pipeline are one job, which runs beside the pipeline.</summary>
[Cmdlet(VerbsCommunications.Receive, "TransferFile", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
[OutputType(typeof(TransferSummary), typeof(TransferItem))]
public sealed class ReceiveTransferFile : FileJobCmdlet<FileDownload>
{
    private int _given;

    /// <summary>Paths of the server, with wildcards.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [SupportsWildcards]
    [PathText]
    public string[] Path { get; set; } = [];

    /// <summary>Paths of the server as they are.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = ByLiteralPath)]
    [Alias("FullName")]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [PathText]
    public string[] LiteralPath { get; set; } = [];

    /// <summary>Entries of the server, as Get-TransferEntry writes them: taken as they are, and not looked at once more.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByEntry)]
    public RemoteEntry[] InputObject { get; set; } = [];

    /// <summary>Items of a drive of this module, as Get-ChildItem writes them: each is worked on at the drive's server.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByDriveItem, DontShow = true)]
    public TransferDriveItem[] DriveItem { get; set; } = [];

    /// <summary>Files and folders of this machine, which are refused: the server's entries of the same paths are not meant.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByLocalItem, DontShow = true)]
    public FileSystemInfo[] LocalItem { get; set; } = [];

    /// <summary>The destination: a folder if it exists or ends in a separator, else the new name. By default the current folder.</summary>
    [Parameter(Position = 1)]
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = ".";

    /// <inheritdoc/>
    private protected override string Activity => $"Receiving from {Client.Endpoint.Host}";

    /// <inheritdoc/>
    private protected override (string Source, string Target) Ends(FileDownload file) => (file.RemotePath, file.LocalPath);

    /// <inheritdoc/>
    private protected override TransferJob Start(IAsyncEnumerable<FileDownload> files, FilesOptions options) =>
        Client.StartDownloadFiles(files, options, readItems: true, Progress, StopToken);

    /// <inheritdoc/>
    private protected override void Process()
    {
        if (!TryForEachGiven(InputObject, DriveItem, LocalItem, Receive))
        {
            LookUp(ParameterSetName == ByLiteralPath ? LiteralPath : RemoteGlob.Literal(Path), Receive);
            if (ParameterSetName == ByPath && RemoteGlob.Patterns(Path).Any()) ForEachEntry([], RemoteGlob.Patterns(Path), Receive);
        }
        Pump.Drain();
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        ActOnAll(Receive);
        base.EndProcessing();
    }

    private void Receive(RemoteEntry entry)
    {
        var isFolder = IsFolder(entry);
        if (!isFolder && !Takes(entry.Name)) return;
        if (TargetOf(entry) is not { } target) return;
        if (isFolder)
        {
            ReceiveFolder(entry, target);
        }
        else if (ShouldProcess($"{entry.Path} at {Client.Endpoint}", $"Receive as {target}{Afterwards}")
            && TryClaim(Client, entry.Path, null, target, entry))
        {
            Add(new(entry.Path, target), entry);
        }
    }

    // Null: the entry has no target, and the error is written.
    private string? TargetOf(RemoteEntry entry)
    {
        var local = LocalPathOf(Destination);
        if (Transfer.LocalPath.NamesDirectory(Destination) || DiskDirectories.Exists(local))
            return System.IO.Path.Join(local, entry.Name);
        if (_given++ == 0) return local;
        WriteItemError(
            Record(
                new TransferException(TransferError.Exists,
                    $"{entry.Path}: {Destination} is the name of one file; end it with / where it is a folder.")
                { RemotePath = entry.Path }, entry, OneFile));
        return null;
    }

    private void ReceiveFolder(RemoteEntry entry, string target)
    {
        if (!IsWhatIf && !ShouldProcess($"{entry.Path} at {Client.Endpoint}", $"Receive folder as {target}{Afterwards}")) return;
        if (!TryClaim(Client, entry.Path, null, target, entry)) return;
        Follow(Client.StartDownloadDirectory(entry.Path, target, FolderOptions, readItems: true, Progress, StopToken), entry.Path);
    }
}
