using Transfer.Listings;

namespace Transfer.Engine.Trees;

/// <summary>The bounds of a walk through directories, which may have no end: a server may invent them, and links may lead through the
/// same ones on ever more paths. Thread-safe.</summary>
/// <param name="room">The memory for directories that wait for their turn.</param>
/// <param name="mostFollowed">The most directories that are entered through links.</param>
internal sealed class WalkBounds(ListingShare room, int mostFollowed = WalkBounds.UsualMostFollowed)
{
    /// <summary>The usual bound of followed directories: links that lead to each other's directories are no loop, but each way through them
    /// is another path, and the number of paths has no other bound.</summary>
    public const int UsualMostFollowed = 100_000;

    private int _followed;

    /// <summary>Counts a directory; returns why not to enter, or null. A directory to which no link leads is always
    /// entered.</summary>
    public TransferException? RefuseFollowed(PlannedDirectory directory) =>
        directory.IsFollowed && Interlocked.Increment(ref _followed) > mostFollowed
        ? new TransferException(TransferError.Unsupported,
            $"{directory.Path}: the links of this folder lead to more than {mostFollowed} folders.")
        : null;

    /// <summary>Takes the memory of a directory to visit later; returns why that is not possible, or null.</summary>
    public TransferException? Take(PlannedDirectory parent, PlannedDirectory directory) => PlannedDirectory.RefuseLength(directory.Path)
        ?? (room.TryTake(directory.Cost) ? null : room.Exceeded(parent.Path.Length == 0 ? "." : parent.Path));

    /// <summary>Returns the memory of a directory that waits no more.</summary>
    public void Return(PlannedDirectory directory) => room.Return(directory.Cost);
}
