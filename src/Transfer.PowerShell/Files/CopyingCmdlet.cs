using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that move what is named, with a choice of what becomes of files that exist. A synchronisation has none: it replaces
/// what differs.
/// </summary>
public abstract class CopyingCmdlet : JobCmdlet
{
    /// <summary>What becomes of files that exist: Fail (the default), Skip, Newer or Always.</summary>
    [Parameter]
    public OverwriteMode Overwrite { get; set; }

    private protected DirectoryOptions FolderOptions => new()
    {
        Overwrite = Overwrite,
        Verify = Verify,
        Sessions = Sessions,
        Filter = Filter,
        Links = Links,
        Resume = Resume,
        DryRun = IsWhatIf,
    };
}
