using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>Copies files and folders from one server to another, or within one, without storing them here.</summary>
[Cmdlet(VerbsCommon.Copy, "TransferFile", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
[OutputType(typeof(TransferSummary), typeof(TransferItem))]
public sealed class CopyTransferFile : CopyingCmdlet
{
    private const string ByPath = "Path";
    private const string ByLiteralPath = "LiteralPath";
    private const string ByEntry = "InputObject";

    private TransferServer? _target;
    private bool? _isFolder; // the destination

    /// <summary>Paths of the server that is copied from, with wildcards.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [SupportsWildcards]
    public string[] Path { get; set; } = [];

    /// <summary>Paths of the server that is copied from, as they are.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = ByLiteralPath)]
    [Alias("FullName")]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string[] LiteralPath { get; set; } = [];

    /// <summary>Entries of the server that is copied from, as Get-TransferEntry writes them.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = ByEntry)]
    public RemoteEntry[] InputObject { get; set; } = [];

    /// <summary>Where to: a folder if it exists or ends in <c>/</c>, else the new name.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    public string Destination { get; set; } = string.Empty;

    /// <summary>The server that is copied to, or its name; by default the same.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(Servers.ServerCompleter))]
    public object? ToServer { get; set; }

    /// <inheritdoc/>
    private protected override string Activity => $"Copying to {Target.Endpoint.Host}";

    private UploadOptions FileOptions => new() { Overwrite = Overwrite, Verify = Verify, CreateDirectories = true, Resume = Resume };

    private TransferClient Target => _target?.Client ?? Client;

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        _target = Connected(ToServer);
    }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (ParameterSetName == ByEntry) Array.ForEach(InputObject, Copy);
        else if (ParameterSetName == ByLiteralPath) ForEachEntry(LiteralPath, [], Copy);
        else ForEachEntry(RemoteGlob.Literal(Path), RemoteGlob.Patterns(Path), Copy);
        Pump.Drain();
    }

    private void Copy(RemoteEntry entry)
    {
        // Looked at once: it is not what the copies make of it that was named.
        _isFolder ??= Destination.EndsWith('/') || Await(token => Target.GetEntryAsync(Destination, token).AsTask(), Destination)?.Type == RemoteEntryType.Directory;
        var target = _isFolder == true ? RemotePath.Combine(Destination.TrimEnd('/'), entry.Name) : Destination;
        var isFolder = entry.Type == RemoteEntryType.Directory;
        // A folder is planned under -WhatIf, and its items are said.
        if (!(isFolder && IsWhatIf) && !ShouldProcess($"{entry.Path} at {Client.Endpoint}", $"Copy to {target} at {Target.Endpoint}")) return;
        Follow(isFolder
            ? Client.StartCopyDirectory(entry.Path, Target, target, FolderOptions, readItems: true, Progress, StopToken)
            : Client.StartCopyFile(entry.Path, Target, target, FileOptions, readItems: true, Progress, StopToken));
    }
}
