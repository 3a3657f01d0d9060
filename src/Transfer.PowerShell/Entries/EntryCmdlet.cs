using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell.Entries;

/// <summary>Base of the cmdlets that work on entries of a server: given as objects, by name or by pattern.</summary>
public abstract class EntryCmdlet : ServerCmdlet
{
    private protected const string ByPath = "Path";
    private protected const string ByLiteralPath = "LiteralPath";
    private protected const string ByEntry = "InputObject";
    private protected const string ByDriveItem = "DriveItem";
    private protected const string ByLocalItem = "LocalItem";

    // Advice where several sources would have one name.
    private protected const string OneFile = "End -Destination with / where it is a folder.";
    private protected const string OtherTarget = "Give it another -Destination, in a command of its own.";

    private EntryLooks? _looks;

    /// <summary>Whether requests are made by the paths of entries. False: entries are shown.</summary>
    private protected virtual bool SendsPaths => true;

    /// <summary>Acts on the entries of a record, by the record's parameter set. False: the record has paths instead.</summary>
    private protected bool TryForEachGiven(
        RemoteEntry[] entries, TransferDriveItem[] driveItems, FileSystemInfo[] localItems, Action<RemoteEntry> act)
    {
        if (ParameterSetName == ByLocalItem) Refuse(localItems);
        else if (ParameterSetName == ByDriveItem) ForEachEntry(driveItems.Select(item => item.Entry), act);
        else if (ParameterSetName == ByEntry) ForEachEntry(entries, act);
        else return false;
        return true;
    }

    /// <summary>Acts on each entry that paths name. A path without an entry is an error, except for a pattern.</summary>
    private protected void ForEachEntry(IEnumerable<string> literal, IEnumerable<string> patterns, Action<RemoteEntry> act)
    {
        LookUp(literal, act);
        ActOnAll(act);
        foreach (var pattern in patterns)
        {
            // All of them before the first is worked on: the work may change the folder.
            var found = new List<RemoteEntry>();
            Stream(token => RemoteGlob.FindAsync(Client, pattern, token), found.Add, pattern);
            foreach (var entry in found)
                if (!SendsPaths || IsSendable(entry)) act(entry);
        }
    }

    /// <summary>
    /// Looks names up beside the pipeline, and acts on the entries that have been found by now. <see cref="ActOnAll"/> acts on the rest.
    /// </summary>
    private protected void LookUp(IEnumerable<string> names, Action<RemoteEntry> act)
    {
        _looks ??= new(StopToken);
        foreach (var name in names)
        {
            if (EntryNames.WhyUnsendable(name) is { } reason) WriteItemError(Record(reason, name));
            else _looks.Add(Client, name);
            ActOnFound(act, all: false);
        }
        ActOnFound(act, all: false);
    }

    /// <summary>Acts on all entries that were looked up. A name without an entry is an error.</summary>
    private protected void ActOnAll(Action<RemoteEntry> act) => ActOnFound(act, all: true);

    private void ActOnFound(Action<RemoteEntry> act, bool all)
    {
        while (_looks?.TryTake(all, out var path, out var look) == true)
        {
            if (!TryAwait(_ => look, path, out var entry)) continue;
            if (entry is not null)
            {
                act(entry);
                continue;
            }
            var reason = $"{path} does not exist at {Client.Endpoint}.";
            WriteItemError(Record(new TransferException(TransferError.NotFound, reason) { RemotePath = path }, path));
        }
    }

    private protected override void EndWork()
    {
        if (_looks?.IsEmpty != false) return;
        Cancel();
        Task.Run(_looks.EndAsync).GetAwaiter().GetResult();
    }

    private void ForEachEntry(IEnumerable<RemoteEntry> entries, Action<RemoteEntry> act)
    {
        foreach (var entry in entries)
            if (!SendsPaths || IsSendable(entry)) ActAtServer(entry, act);
    }

    /// <summary>Whether a request can have the path of an entry. False: the error is written.</summary>
    private protected bool IsSendable(RemoteEntry entry)
    {
        if (EntryNames.WhyUnsendable(entry.Path) is not { } reason) return true;
        WriteItemError(Record(reason, entry));
        return false;
    }

    /// <summary>Whether an entry is a folder, or a link to one: the content of a link that is given is that of its target.</summary>
    private protected bool IsFolder(RemoteEntry entry) => entry.Type == RemoteEntryType.Directory || (entry.Type == RemoteEntryType.Link
        && Await(token => DestinationFolders.IsFolderAsync(Client, entry.Path, entry, token), entry));

    /// <summary>Refuses files and folders of this machine: the server's entries of the same paths are not meant.</summary>
    private void Refuse(IEnumerable<FileSystemInfo> items)
    {
        foreach (var item in items)
        {
            WriteItemError(Record(new ArgumentException($"'{item.FullName}' is of this machine, and no entry of a server."), item,
                "Give entries, as Get-TransferEntry writes them, or paths of the server as text. Send-TransferFile takes files of this "
                + "machine."));
        }
    }
}
