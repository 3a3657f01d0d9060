using System.Management.Automation;

namespace Transfer.PowerShell.Drives;

public sealed partial class TransferProvider
{
    /// <inheritdoc/>
    protected override object GetChildItemsDynamicParameters(string path, bool recurse) => new ListParameters();

    /// <inheritdoc/>
    protected override object GetChildNamesDynamicParameters(string path) => new ListParameters();

    /// <inheritdoc/>
    protected override void GetChildItems(string path, bool recurse) => GetChildItems(path, recurse, uint.MaxValue);

    /// <inheritdoc/>
    protected override void GetChildItems(string path, bool recurse, uint depth)
    {
        var names = Names();
        var parameters = DynamicParameters as ListParameters;
        // With a depth the folders are walked one by one: the levels below the depth are not listed.
        var below = new List<string>();
        List(path, recurse && depth == uint.MaxValue, (entry, child) =>
        {
            if (names(entry.Name) && parameters?.Takes(entry) != false) WriteEntry(entry, child);
            if (recurse && depth is > 0 and < uint.MaxValue && entry.Type == RemoteEntryType.Directory) below.Add(child);
        });
        foreach (var folder in below) GetChildItems(folder, recurse, depth - 1);
    }

    /// <inheritdoc/>
    protected override void GetChildNames(string path, ReturnContainers returnContainers)
    {
        var names = Names();
        var memory = DynamicParameters as CommandMemory;
        var drive = DriveOf(path);
        List(path, recursive: false, (entry, child) =>
        {
            memory?.Keep(drive.RemoteOf(child), entry);
            var isFolder = entry.Type == RemoteEntryType.Directory;
            // PowerShell enters the folders that are written by name.
            var isWanted = names(entry.Name) && (memory as ListParameters)?.Takes(entry) != false;
            if (isWanted || isFolder && returnContainers == ReturnContainers.ReturnAllContainers)
                WriteItemObject(entry.Name, child, isFolder);
        });
    }

    /// <inheritdoc/>
    protected override bool HasChildItems(string path)
    {
        var drive = DriveOf(path);
        return EntryOf(path)?.Type == RemoteEntryType.Directory
            && Await(drive, path, token =>
                drive.Client.ListAsync(drive.RemoteOf(path), new() { AcceptPartial = true }, token).AnyAsync(token).AsTask());
    }

    // False: the listing failed or is partial, and the error is written.
    private bool List(string path, bool recursive, Action<RemoteEntry, string> write)
    {
        var drive = DriveOf(path);
        var folder = drive.RemoteOf(path);
        int? start = null;
        return TryRun(drive, path, running =>
        {
            running.Stream(token => drive.Client.ListAsync(folder, new() { Recursive = recursive }, token), entry =>
            {
                // The first entry is the folder's own, since each folder is listed before its entries: the part before its name is the
                // folder.
                start ??= entry.Path.Length - entry.Name.Length;
                write(entry, MakePath(path, entry.Path[start.Value..]));
            });
            return true;
        });
    }

    private bool HasFilter => !string.IsNullOrEmpty(Filter);

    private Func<string, bool> Names()
    {
        if (!HasFilter) return _ => true;
        var pattern = new WildcardPattern(Filter, WildcardOptions.IgnoreCase);
        return pattern.IsMatch;
    }
}
