using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Lists folders of a server, and gets single entries.</summary>
[Cmdlet(VerbsCommon.Get, "TransferEntry", DefaultParameterSetName = ByPath)]
[OutputType(typeof(RemoteEntry))]
public sealed class GetTransferEntry : PathCmdlet
{
    private NameFilter _names = null!;

    /// <summary>Lists the folders below too. Links are never followed.</summary>
    [Parameter]
    public SwitchParameter Recurse { get; set; }

    /// <summary>Only names that match.</summary>
    [Parameter]
    [SupportsWildcards]
    public string? Filter { get; set; }

    /// <summary>Only names of which one of these matches.</summary>
    [Parameter]
    [SupportsWildcards]
    [ValidateNotNull]
    public string[] Include { get; set; } = [];

    /// <summary>No names of which one of these matches.</summary>
    [Parameter]
    [SupportsWildcards]
    [ValidateNotNull]
    public string[] Exclude { get; set; } = [];

    /// <summary>Only files.</summary>
    [Parameter]
    public SwitchParameter File { get; set; }

    /// <summary>Only folders.</summary>
    [Parameter]
    public SwitchParameter Directory { get; set; }

    /// <inheritdoc/>
    private protected override bool SendsPaths => false;

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        _names = new NameFilter([.. Include, .. Filter is null ? [] : new[] { Filter }], Exclude);
    }

    /// <inheritdoc/>
    protected override void ProcessRecord()
    {
        if (ParameterSetName == ByPath && Path.Length == 0) List(string.Empty);
        else ForEachEntry(entry => ListOrWrite(entry));
    }

    private void ListOrWrite(RemoteEntry entry)
    {
        // As Get-ChildItem: a folder that is named is listed, one that a pattern has found is itself meant.
        if (entry.Type != RemoteEntryType.Directory || (!Recurse && Patterns().Any())) Write(entry);
        else if (IsSendable(entry)) List(entry.Path);
    }

    private void List(string folder) => Stream(token => Client.ListAsync(folder, new() { Recursive = Recurse }, token), Write, folder);

    private void Write(RemoteEntry entry)
    {
        if (File && entry.Type != RemoteEntryType.File || Directory && entry.Type != RemoteEntryType.Directory || !_names.Takes(entry.Name))
            return;
        Servers.EntryServers.Keep(entry, Used);
        WriteObject(entry);
    }
}
