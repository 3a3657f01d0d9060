using Transfer.Listings;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>A folder that a <see cref="TreePass"/> visits, with the state of the folder's content.</summary>
/// <param name="entry">The folder.</param>
/// <param name="parent">The folder above; null: the first one.</param>
internal sealed class PassFolder(RemoteEntry entry, PassFolder? parent = null)
{
    private ListingShare? _entryShare;
    private ListingShare? _folderShare;
    private int _left;

    /// <summary>The folder as listed.</summary>
    public RemoteEntry Entry { get; } = entry;

    /// <summary>The path of the folder.</summary>
    public string Path => Entry.Path;

    /// <summary>The folder above; null: the first one.</summary>
    public PassFolder? Parent { get; } = parent;

    /// <summary>Whether the folder is a directory and no link; null: not yet proved.</summary>
    public DirectoryProof? Proof { get; set; } = parent is null ? DirectoryProof.Child : null;

    /// <summary>The folder, where a listing has to prove it; null: it is proved.</summary>
    public RemoteEntry? Unproved => Proof is null ? Entry : null;

    /// <summary>The number of entries and child folders that are not done.</summary>
    public int Open { get; set; }

    /// <summary>The number of entries that are not done.</summary>
    public int OpenEntries { get; set; }

    /// <summary>What the last listing may lack.</summary>
    public PassGaps Gaps { get; set; } = PassGaps.None;

    /// <summary>Whether the folder is to be visited again, by a listing that lacks nothing without notice.</summary>
    public bool IsWanted { get; set; }

    /// <summary>Whether the folder is visited again after a refusal that may pass.</summary>
    public bool MayRepeat { get; set; }

    /// <summary>Whether an error of the folder itself was reported.</summary>
    public bool HasFailed { get; set; }

    /// <summary>Whether the folder was handled in front of the content.</summary>
    public bool IsHandled { get; set; }

    /// <summary>Whether the folder is in a unit of folders to finish, behind the last ones below that are open.</summary>
    public bool IsFinishing { get; set; }

    /// <summary>Whether an entry could not be handled, and stays.</summary>
    public bool HasLeft => Volatile.Read(ref _left) != 0;

    /// <summary>Opens new shares of the budget, for the entries and for the child folders of a visit.</summary>
    public (ListingShare Entries, ListingShare Folders) OpenShares(ListingBudget listings)
    {
        Close();
        return (_entryShare = listings.Open(Path), _folderShare = listings.Open(Path));
    }

    /// <summary>Returns the entries' share of the budget: all are handled.</summary>
    public void CloseEntries() => _entryShare?.Dispose();

    /// <summary>Returns all shares of the budget.</summary>
    public void Close()
    {
        _entryShare?.Dispose();
        _folderShare?.Dispose();
    }

    /// <summary>Whether an error of the folder's listing is final, and the act's to report; else it is the pass's.</summary>
    public bool IsFinal(TransferException error) =>
        error is not TransferConnectionException && !(MayRepeat && SessionPoolExtensions.IsLoss(error));

    /// <summary>Notes that an entry could not be handled, and stays.</summary>
    public void Leave() => Volatile.Write(ref _left, 1);
}
