using System.Collections.ObjectModel;
using System.Management.Automation;
using Transfer.Local;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Files;

/// <summary>Sends files and folders to a server. All files of a pipeline are one job, which runs beside the pipeline.</summary>
[Cmdlet(VerbsCommunications.Send, "TransferFile", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
[OutputType(typeof(TransferSummary), typeof(TransferItem))]
public sealed class SendTransferFile : FileJobCmdlet<FileUpload>
{
    private bool? _isFolder; // the destination
    private int _given;

    /// <summary>Local files and folders, with wildcards.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [SupportsWildcards]
    public string[] Path { get; set; } = [];

    /// <summary>Local files and folders as they are.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = ByLiteralPath)]
    [Alias("PSPath", "FullName")]
    public string[] LiteralPath { get; set; } = [];

    /// <summary>The destination: a folder if it exists or ends in <c>/</c>, else the new name. By default the server's folder.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [ValidateNotNullOrEmpty]
    public string Destination { get; set; } = string.Empty;

    /// <inheritdoc/>
    private protected override string Activity => $"Sending to {Client.Endpoint.Host}";

    /// <inheritdoc/>
    private protected override (string Source, string Target) Ends(FileUpload file) => (file.LocalPath, file.RemotePath);

    /// <inheritdoc/>
    private protected override TransferJob Start(IAsyncEnumerable<FileUpload> files, FilesOptions options) =>
        Client.StartUploadFiles(files, options, readItems: true, Progress, StopToken);

    /// <inheritdoc/>
    private protected override void Process()
    {
        foreach (var path in LocalPaths()) Send(path);
        Pump.Drain();
    }

    private List<string> LocalPaths()
    {
        var found = new List<string>();
        foreach (var path in ParameterSetName == ByPath ? Path : LiteralPath)
        {
            try
            {
                if (ParameterSetName == ByPath) found.AddRange(Resolve(path));
                else found.Add(LocalPathOf(path));
            }
            catch (ItemNotFoundException e)
            {
                WriteItemError(Record(new TransferException(TransferError.NotFound, e.Message, e), path));
            }
        }
        return found;
    }

    private Collection<string> Resolve(string path)
    {
        var found = SessionState.Path.GetResolvedProviderPathFromPSPath(path, out var provider);
        RequireFileSystem(provider, path);
        return found;
    }

    private void Send(string path)
    {
        var isFolder = DiskDirectories.Exists(path);
        if (!isFolder && !DiskFiles.Exists(path))
        {
            WriteItemError(Record(new TransferException(TransferError.NotFound, $"{path} does not exist."), path));
            return;
        }
        if (!isFolder && !Takes(System.IO.Path.GetFileName(path))) return;
        if (TargetOf(path) is not { } target) return;
        if (EntryNames.WhyUnsendable(target) is { } reason)
        {
            WriteItemError(Record(reason, path));
            return;
        }
        if (isFolder) SendFolder(path, target);
        else if (ShouldProcess(path, $"Send to {target} at {Client.Endpoint}{Afterwards}") && TryClaim(null, path, Client, target, path))
            Add(new(path, target), path);
    }

    // Null: the path has no target, and the error is written.
    private string? TargetOf(string path)
    {
        _isFolder ??= Destination.Length == 0 || Destination.EndsWith('/')
            || Await(token => DestinationFolders.IsFolderAsync(Client, Destination, token), Destination);
        if (_isFolder == true)
        {
            var name = System.IO.Path.GetFileName(System.IO.Path.TrimEndingDirectorySeparator(path));
            return DestinationFolders.In(Destination, name);
        }
        if (_given++ == 0) return Destination;
        WriteItemError(
            Record(new TransferException(TransferError.Exists,
                $"{path}: {Destination} is the name of one file; end it with / where it is a folder."), path, OneFile));
        return null;
    }

    private void SendFolder(string path, string target)
    {
        if (!IsWhatIf && !ShouldProcess(path, $"Send folder to {target} at {Client.Endpoint}{Afterwards}")) return;
        if (!TryClaim(null, path, Client, target, path)) return;
        Follow(Client.StartUploadDirectory(path, target, FolderOptions, readItems: true, Progress, StopToken), path);
    }
}
