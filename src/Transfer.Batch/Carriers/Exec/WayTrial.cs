namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Some files of a large folder that go file by file, and about as many that go in a batch: of the two ways the faster one takes the rest.
/// Which is faster depends on the server's processors and disks as much as on the link, so only a trial shows it.
/// </summary>
internal sealed class WayTrial
{
    // The round trips of a batch in which nothing moves: the folder of the job's own, the start and the end of a command, folders, renames.
    private const int IdleRoundTrips = 6;

    // A batch has to be so much faster than file by file, as trials vary.
    private const double Margin = 1.15;

    // A file in so many may be left to go on its own: it changed meanwhile.
    private const int MostLeft = 20;

    private readonly WayShare _single;
    private readonly WayShare _batch;

    /// <param name="single">The files that go file by file.</param>
    /// <param name="batch">The files that go in a batch.</param>
    public WayTrial(IReadOnlyCollection<ListedFile> single, IReadOnlyCollection<ListedFile> batch)
    {
        Single = [.. single.Select(static file => file.Path)];
        Batch = [.. batch.Select(static file => file.Path)];
        (_single, _batch) = (WayShare.Of(single), WayShare.Of(batch));
    }

    /// <summary>The files that go file by file, first.</summary>
    public IReadOnlyCollection<string> Single { get; }

    /// <summary>The files that go in a batch, second.</summary>
    public IReadOnlyCollection<string> Batch { get; }

    /// <summary>Whether a batch is so much faster that the rest is to go in one.</summary>
    /// <param name="single">The time of <see cref="Single"/>.</param>
    /// <param name="batch">The time of <see cref="Batch"/>.</param>
    /// <param name="roundTrip">The path's round trip; zero: not known.</param>
    /// <param name="left">The files that the batch did not move.</param>
    public bool IsBatchFaster(TimeSpan single, TimeSpan batch, TimeSpan roundTrip, int left) =>
        IsBatchFaster((_single, single), (_batch, batch), roundTrip, left);

    /// <summary>Whether a batch is so much faster that the rest is to go in one.</summary>
    /// <param name="single">The files that went file by file, and their time.</param>
    /// <param name="batch">The files that went in a batch, and their time.</param>
    /// <param name="roundTrip">The path's round trip; zero: not known.</param>
    /// <param name="left">The files that the batch did not move.</param>
    public static bool IsBatchFaster((WayShare Share, TimeSpan Time) single, (WayShare Share, TimeSpan Time) batch, TimeSpan roundTrip,
        int left)
    {
        if (left > batch.Share.Files / MostLeft) return false;
        var moving = Math.Max((batch.Time - IdleRoundTrips * roundTrip).TotalSeconds, batch.Time.TotalSeconds / 2);
        return moving * Margin * single.Share.Work < single.Time.TotalSeconds * batch.Share.Work;
    }

    /// <summary>Returns the files of the trial, which the rest goes without, but for some that are left to the rest.</summary>
    public IReadOnlySet<string> Without(IReadOnlyCollection<string> left)
    {
        var paths = new HashSet<string>([.. Single, .. Batch]);
        paths.ExceptWith(left);
        return paths;
    }
}
