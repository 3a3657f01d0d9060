using System.Management.Automation;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Files;

/// <summary>Copies files and folders from one server to another, or within one, without storing them here.</summary>
[Cmdlet(VerbsCommon.Copy, "TransferFile", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
[OutputType(typeof(TransferSummary), typeof(TransferItem))]
public sealed class CopyTransferFile : CopyingCmdlet
{
    private TransferServer? _target;
    private readonly DestinationFolders _folders = new();

    /// <summary>Paths of the server that is copied from, with wildcards.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [SupportsWildcards]
    [PathText]
    public string[] Path { get; set; } = [];

    /// <summary>Paths of the server that is copied from, as they are.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = ByLiteralPath)]
    [Alias("FullName")]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [PathText]
    public string[] LiteralPath { get; set; } = [];

    /// <summary>Entries of the server that is copied from, as Get-TransferEntry writes them.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByEntry)]
    public RemoteEntry[] InputObject { get; set; } = [];

    /// <summary>Items of a drive of this module, as Get-ChildItem writes them: each is worked on at the drive's server.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByDriveItem, DontShow = true)]
    public TransferDriveItem[] DriveItem { get; set; } = [];

    /// <summary>Files and folders of this machine, which are refused: the server's entries of the same paths are not meant.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByLocalItem, DontShow = true)]
    public FileSystemInfo[] LocalItem { get; set; } = [];

    /// <summary>The destination: a folder if it exists or ends in <c>/</c>, else the new name.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    public string Destination { get; set; } = string.Empty;

    /// <summary>The server that is copied to, as -Server takes servers; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(ServerCompleter))]
    [ValidateNotNull]
    public object? ToServer { get; set; }

    /// <inheritdoc/>
    private protected override string Activity => $"Copying to {Target.Endpoint.Host}";

    private UploadOptions FileOptions =>
        WithSources(new UploadOptions { Overwrite = Overwrite, Verify = Verify, CreateDirectories = true, Resume = Resume });

    private TransferClient Target => _target?.Client ?? Client;

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        _target = Connected(ToServer);
    }

    /// <inheritdoc/>
    private protected override void Process()
    {
        if (!TryForEachGiven(InputObject, DriveItem, LocalItem, Copy))
        {
            if (ParameterSetName == ByLiteralPath) ForEachEntry(LiteralPath, [], Copy);
            else ForEachEntry(RemoteGlob.Literal(Path), RemoteGlob.Patterns(Path), Copy);
        }
        Pump.Drain();
    }

    private void Copy(RemoteEntry entry)
    {
        var isFolder = IsFolder(entry);
        if (!isFolder && !Takes(entry.Name)) return;
        var target = _folders.PathOf(Target, Destination, entry,
            () => Await(token => DestinationFolders.IsFolderAsync(Target, Destination, token), Destination));
        // Under -WhatIf a folder is planned, and the items are written.
        var action = $"Copy to {target} at {Target.Endpoint}{Afterwards}";
        if (!(isFolder && IsWhatIf) && !ShouldProcess($"{entry.Path} at {Client.Endpoint}", action)) return;
        // Each entry is a job of its own, beside the others.
        if (!TryClaim(Client, entry.Path, Target, target, entry)) return;
        Follow(isFolder
            ? Client.StartCopyDirectory(entry.Path, Target, target, FolderOptions, readItems: true, Progress, StopToken)
            : Client.StartCopyFile(entry.Path, Target, target, FileOptions, readItems: true, Progress, StopToken), entry.Path);
    }
}
