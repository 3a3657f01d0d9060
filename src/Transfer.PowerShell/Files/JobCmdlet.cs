using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>Base of the cmdlets that move files one by one.</summary>
public abstract class JobCmdlet : JobRunCmdlet
{
    /// <summary>The proof that a file has arrived: Reply, Size (the default) or Hash.</summary>
    [Parameter]
    public VerificationMode Verify { get; set; } = VerificationMode.Size;

    /// <summary>Most sessions for this command.</summary>
    [Parameter]
    [ValidateRange(1, 1000)]
    public int? Sessions { get; set; }

    /// <summary>Includes only files that match one of these patterns: by path in folders, by name where files are given.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Include { get; set; } = [];

    /// <summary>Nothing that one of these patterns matches: by path in folders, by name where files are given.</summary>
    [Parameter]
    [ValidateNotNull]
    public string[] Exclude { get; set; } = [];

    /// <summary>
    /// In folders, the treatment of symbolic links: Skip (the default), Copy (the links themselves) or Follow (their targets, within the
    /// folder).
    /// </summary>
    [Parameter]
    public LinkHandling Links { get; set; }

    /// <summary>
    /// Goes on where the last run of the same command with -Resume was broken off: files that have arrived are not moved again, and large
    /// ones go on where they were. To be given from the first run on.
    /// </summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) => error is TransferError.Lost or TransferError.Timeout
        ? "Run the command again; one that was given -Resume from the beginning goes on where it was." : base.Advice(error);

    /// <summary>Whether a file that is given, and not found in a folder, is taken.</summary>
    private protected bool Takes(string name) => Filter?.TakesFile(name) != false;

    private protected TransferFilter? Filter =>
        Include.Length + Exclude.Length == 0 ? null : new TransferFilter { Include = Include, Exclude = Exclude };
}
