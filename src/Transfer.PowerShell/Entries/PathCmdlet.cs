using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Base of the cmdlets that are given paths of a server, with wildcards or literally.</summary>
public abstract class PathCmdlet : EntryCmdlet
{
    /// <summary>Paths of the server, with wildcards; relative ones start from the server's folder.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [SupportsWildcards]
    [PathText]
    [ValidateNotNullOrEmpty]
    public virtual string[] Path { get; set; } = [];

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

    private protected void ForEachEntry(Action<RemoteEntry> act)
    {
        if (!TryForEachGiven(act)) ForEachEntry(Literal(), Patterns(), act);
    }

    /// <summary>Acts on the entries of this record. False: the record has paths instead.</summary>
    private protected bool TryForEachGiven(Action<RemoteEntry> act) => TryForEachGiven(InputObject, DriveItem, LocalItem, act);

    /// <summary>Paths of this record that have no wildcards.</summary>
    private protected IEnumerable<string> Literal() => ParameterSetName switch
    {
        ByLiteralPath => LiteralPath,
        _ => RemoteGlob.Literal(Path),
    };

    /// <summary>Paths of this record that have some.</summary>
    private protected IEnumerable<string> Patterns() => ParameterSetName == ByPath ? RemoteGlob.Patterns(Path) : [];
}
