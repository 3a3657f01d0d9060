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

    /// <summary>The most directories with the listing of one above that are entered without a proof that they are no links.</summary>
    public const int MostRepeated = 100;

    /// <summary>The most such directories in all. Some servers show links as directories wherever a proof is looked for.</summary>
    public const int MostProved = 300;

    private int _followed;
    private int _repeated;

    /// <summary>Counts a directory; returns why not to enter, or null. A directory to which no link leads is always
    /// entered.</summary>
    public TransferException? RefuseFollowed(PlannedDirectory directory) =>
        directory.IsFollowed && Interlocked.Increment(ref _followed) > mostFollowed
        ? new TransferException(TransferError.Unsupported,
            $"{directory.Path}: the links of this folder lead to more than {mostFollowed} folders.")
        : null;

    /// <summary>
    /// Counts a directory that has the listing of one above, and may be a link to that; returns why not to enter, or null.
    /// </summary>
    public TransferException? RefuseRepeated(string path, bool isProved) =>
        Interlocked.Increment(ref _repeated) > (isProved ? MostProved : MostRepeated) ? Repeated(path) : null;

    /// <summary>The error of a directory that seems to be a link to one above.</summary>
    public static TransferException Repeated(string path) => new(TransferError.Unsupported,
        $"{path} shows the entries of a folder above, as many others do: links at the server seem to lead in a circle, so it is not "
        + "entered.")
    { RemotePath = path };

    /// <summary>Takes the memory of a directory to visit later; returns why that is not possible, or null.</summary>
    public TransferException? Take(PlannedDirectory parent, PlannedDirectory directory) => PlannedDirectory.RefuseLength(directory.Path)
        ?? (room.TryTake(directory.Cost) ? null : room.Exceeded(parent.Path.Length == 0 ? "." : parent.Path));

    /// <summary>Returns the memory of a directory that waits no more.</summary>
    public void Return(PlannedDirectory directory) => room.Return(directory.Cost);
}
