using System.Management.Automation;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Base of the cmdlets that are given paths of a server, with wildcards or literally.</summary>
public abstract class PathCmdlet : ServerCmdlet
{
    private protected const string ByPath = "Path";
    private protected const string ByLiteralPath = "LiteralPath";
    private protected const string ByEntry = "InputObject";

    /// <summary>Paths of the server, with wildcards; relative ones start from the server's folder.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true, ParameterSetName = ByPath)]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    [SupportsWildcards]
    public virtual string[] Path { get; set; } = [];

    /// <summary>Paths of the server as they are.</summary>
    [Parameter(Mandatory = true, ValueFromPipelineByPropertyName = true, ParameterSetName = ByLiteralPath)]
    [Alias("FullName")]
    [ArgumentCompleter(typeof(RemotePathCompleter))]
    public string[] LiteralPath { get; set; } = [];

    /// <summary>Entries of the server, as Get-TransferEntry writes them: taken as they are, and not looked at once more.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ParameterSetName = ByEntry)]
    public RemoteEntry[] InputObject { get; set; } = [];

    private protected void ForEachEntry(Action<RemoteEntry> act)
    {
        if (ParameterSetName == ByEntry) Array.ForEach(InputObject, act);
        else ForEachEntry(Literal(), Patterns(), act);
    }

    /// <summary>Paths of this record that have no wildcards.</summary>
    private protected IEnumerable<string> Literal() => ParameterSetName switch
    {
        ByEntry => InputObject.Select(entry => entry.Path),
        ByLiteralPath => LiteralPath,
        _ => RemoteGlob.Literal(Path),
    };

    /// <summary>Paths of this record that have some.</summary>
    private protected IEnumerable<string> Patterns() => ParameterSetName == ByPath ? RemoteGlob.Patterns(Path) : [];
}
