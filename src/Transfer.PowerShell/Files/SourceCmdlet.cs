using System.Management.Automation;

namespace Transfer.PowerShell.Files;

/// <summary>Base of the cmdlets that may remove or move the sources of what they have sent.</summary>
public abstract class SourceCmdlet : JobCmdlet
{
    /// <summary>Deletes each source file when its copy has arrived and was checked, and the source is unchanged since. Folders
    /// stay.</summary>
    [Parameter]
    public SwitchParameter RemoveSource { get; set; }

    /// <summary>
    /// The folder to which each source file moves instead: relative to the folder of the source, or absolute on that side, and on the same
    /// file system.
    /// </summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? MoveSourceTo { get; set; }

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        if (RemoveSource && MoveSourceTo is not null)
            Fail(new ArgumentException("RemoveSource and MoveSourceTo contradict each other."), MoveSourceTo);
        if (DisposesSource && Links == LinkHandling.Follow)
            Fail(new ArgumentException("Links Follow contradicts RemoveSource and MoveSourceTo: a link is not the file."), Links);
    }

    private bool DisposesSource => RemoveSource || MoveSourceTo is not null;

    /// <summary>The words for what becomes of sources, behind those for the transfer.</summary>
    private protected string Afterwards => RemoveSource ? ", and remove the source"
        : MoveSourceTo is { } folder ? $", and move the source to {folder}" : string.Empty;

    /// <summary>Adds the treatment of sources to options.</summary>
    private protected T WithSources<T>(T options)
        where T : TransferOptions =>
        (T)((TransferOptions)options with { RemoveSource = RemoveSource, MoveSourceTo = MoveSourceTo });
}
