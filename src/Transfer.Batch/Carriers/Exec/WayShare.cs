namespace Transfer.Batch.Carriers.Exec;

/// <summary>The files of a trial that go one way.</summary>
/// <param name="Files">Their number.</param>
/// <param name="Work">What they cost, in bytes.</param>
internal readonly record struct WayShare(int Files, long Work)
{
    // The bytes that take about as long as one file more.
    private const long FileCost = 16 << 10;

    public static WayShare Of(IEnumerable<ListedFile> files)
    {
        var share = default(WayShare);
        foreach (var file in files) share = share.With(file.Length);
        return share;
    }

    /// <summary>These and one more.</summary>
    public WayShare With(long length) => new(Files + 1, LengthSum.Add(Work, LengthSum.Add(length, FileCost)));
}
