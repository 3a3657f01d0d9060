using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that move named files, with an option for files that exist. A synchronisation has no such option: it replaces
/// files that differ.
/// </summary>
public abstract class CopyingCmdlet : JobCmdlet
{
    /// <summary>The treatment of files that exist: Fail (the default), Skip, Newer or Always.</summary>
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
