using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that move named files, with an option for files that exist. A synchronisation has no such option: it replaces
/// files that differ.
/// </summary>
public abstract class CopyingCmdlet : SourceCmdlet
{
    private protected const string OneFile = "End -Destination with / where it is a folder.";

    /// <summary>The treatment of files that exist: Fail (the default), Skip, Newer or Always.</summary>
    [Parameter]
    public OverwriteMode Overwrite { get; set; }

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) =>
        error == TransferError.Exists ? "Give -Overwrite Always, Newer or Skip." : base.Advice(error);

    private protected DirectoryOptions FolderOptions => WithSources(new DirectoryOptions
    {
        Overwrite = Overwrite,
        Verify = Verify,
        Sessions = Sessions,
        Filter = Filter,
        Links = Links,
        Resume = Resume,
        DryRun = IsWhatIf,
    });
}
