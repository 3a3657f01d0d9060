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

    // The bytes that take about as long as one file more.
    private const long FileCost = 16 << 10;

    // A file in so many may be left to go on its own: it changed meanwhile.
    private const int MostLeft = 20;

    private readonly long _singleWork;
    private readonly long _batchWork;

    /// <param name="single">The files that go file by file.</param>
    /// <param name="batch">The files that go in a batch.</param>
    public WayTrial(IReadOnlyCollection<ListedFile> single, IReadOnlyCollection<ListedFile> batch)
    {
        Single = [.. single.Select(static file => file.Path)];
        Batch = [.. batch.Select(static file => file.Path)];
        (_singleWork, _batchWork) = (WorkOf(single), WorkOf(batch));
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
    public bool IsBatchFaster(TimeSpan single, TimeSpan batch, TimeSpan roundTrip, int left)
    {
        if (left > Batch.Count / MostLeft) return false;
        var moving = Math.Max((batch - IdleRoundTrips * roundTrip).TotalSeconds, batch.TotalSeconds / 2);
        return moving * Margin * _singleWork < single.TotalSeconds * _batchWork;
    }

    /// <summary>Returns the files of the trial, which the rest goes without, but for some that are left to the rest.</summary>
    public IReadOnlySet<string> Without(IReadOnlyCollection<string> left)
    {
        var paths = new HashSet<string>([.. Single, .. Batch]);
        paths.ExceptWith(left);
        return paths;
    }

    private static long WorkOf(IEnumerable<ListedFile> files) =>
        LengthSum.Of(files.Select(static file => LengthSum.Add(file.Length, FileCost)));
}
