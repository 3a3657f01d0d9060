using System.Management.Automation;
using Transfer.Sessions;

namespace Transfer.PowerShell.Entries;

/// <summary>Sets the modification time and the permissions of entries of a server.</summary>
[Cmdlet(VerbsCommon.Set, "TransferEntry", DefaultParameterSetName = ByPath, SupportsShouldProcess = true)]
public sealed class SetTransferEntry : PathCmdlet
{
    /// <summary>The modification time.</summary>
    [Parameter]
    public DateTimeOffset? LastWriteTime { get; set; }

    /// <summary>The permissions, as chmod(1) takes them: octal, or clauses such as u+x,go-w, which PowerShell takes for a list.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string[] Mode { get; set; } = [];

    /// <summary>Folders with all that is in them; for -Mode.</summary>
    [Parameter]
    public SwitchParameter Recurse { get; set; }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (LastWriteTime is null && Mode.Length == 0) Fail(new ArgumentException("Give -LastWriteTime or -Mode, or both."));
        if (Recurse && Mode.Length == 0) Fail(new ArgumentException("Recurse is for -Mode."));
        var mode = string.Join(',', Mode);
        var change = Mode.Length == 0 ? null : ModeChange.Parse(mode);
        ForEachEntry(entry =>
        {
            if (!ShouldProcess(entry.Path,
                string.Join(" and ",
                    new[] { change is null ? null : $"Set mode {mode}",
                        LastWriteTime is null ? null : $"Set time {LastWriteTime:O}" }.Where(text => text is not null))))
            {
                return;
            }

            if (change is not null && !TryAwait(token => Client.ChangeModeAsync(entry.Path, change, Recurse, token).AsTask(), entry))
                return;
            if (LastWriteTime is { } time)
                TryAwait(token => Client.SetMetadataAsync(entry.Path, new FileMetadata { Modified = time }, token).AsTask(), entry);
        });
    }
}
