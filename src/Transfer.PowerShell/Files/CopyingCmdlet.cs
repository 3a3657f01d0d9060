using System.Management.Automation;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that move named files, with an option for files that exist. A synchronisation has no such option: it replaces
/// files that differ.
/// </summary>
public abstract class CopyingCmdlet : SourceCmdlet
{
    private readonly ClaimedTargets _targets = new();

    /// <summary>The treatment of files that exist: Fail (the default), Skip, Newer or Always.</summary>
    [Parameter]
    public OverwriteMode Overwrite { get; set; }

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) =>
        error == TransferError.Exists ? "Give -Overwrite Always, Newer or Skip." : base.Advice(error);

    /// <summary>
    /// Notes the target of a source. False: another source of the command has the same target, and the error is written.
    /// </summary>
    /// <param name="from">The server of the source; null: this machine.</param>
    /// <param name="source">The source.</param>
    /// <param name="to">The server of the target; null: this machine.</param>
    /// <param name="target">The target.</param>
    /// <param name="item">The item of the pipeline, for the error.</param>
    private protected bool TryClaim(TransferClient? from, string source, TransferClient? to, string target, object item)
    {
        if (_targets.Claim(from, source, to, target) is not { } refusal) return true;
        WriteItemError(Record(refusal, item, OtherTarget));
        return false;
    }

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
