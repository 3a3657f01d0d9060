using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Throughput by streams, for each program and cipher, in one direction. A stream is a file.</summary>
internal sealed class StreamCurves
{
    private readonly Dictionary<(string Name, int Streams), Result> _results;

    public StreamCurves(IReadOnlyList<Result> results)
    {
        _results = results.GroupBy(result => (CipherLabel.SeriesOf(result), result.Files))
            .ToDictionary(group => group.Key, group => group.OrderBy(SaysHowMany).Last());
        Streams = [.. results.Select(result => result.Files).Distinct().Order()];
        Names = [.. results.OrderBy(result => !result.IsOurs).Select(CipherLabel.SeriesOf).Distinct()];
    }

    public IReadOnlyList<int> Streams { get; }

    /// <summary>Ours first.</summary>
    public IReadOnlyList<string> Names { get; }

    public Result? Find(string name, int streams) => _results.GetValueOrDefault((name, streams));

    public IEnumerable<ChartSeries> Series() => Names.Select(name => new ChartSeries(
        name,
        Curve(name).Any(result => result.IsOurs),
        [.. Curve(name).Where(result => result.Seconds is not null).Select(result => ((double)result.Files, Rate(result)))]));

    public IEnumerable<string> Statements() => [.. OneStream(), .. Growth(), .. Ciphers()];

    /// <summary>Ours with one stream beside peers with the same cipher.</summary>
    public IEnumerable<(string Cipher, Result Ours, Result Theirs)> OneStreamPairs() =>
        from ours in _results.Values
        where ours is { IsOurs: true, Files: 1, Seconds: not null }
        from theirs in _results.Values
        where theirs is { IsOurs: false, Files: 1, Seconds: not null } && CipherLabel.CipherOf(ours) == CipherLabel.CipherOf(theirs)
        select (CipherLabel.CipherOf(ours) ?? "own choice of cipher", ours, theirs);

    /// <summary>Ours with one stream and the best with several, for each cipher.</summary>
    public IEnumerable<(string Name, Result One, Result Best)> Growths() =>
        from name in Names
        let curve = Curve(name).Where(result => result is { IsOurs: true, Seconds: not null }).ToList()
        where curve.Count > 1 && curve[0].Files == 1
        select (name, curve[0], curve.Skip(1).MaxBy(Rate)!);

    // Where it was measured by its own choice of sessions too, the row that says how many is the one with as many streams as files.
    private static bool SaysHowMany(Result result) => result.Client.Contains("--sessions", StringComparison.Ordinal);

    private static double Rate(Result result) => result.MegabytesPerSecond!.Value.Median;

    private IEnumerable<Result> Curve(string name) => Streams.Select(streams => Find(name, streams)).OfType<Result>();

    private IEnumerable<string> OneStream() => OneStreamPairs().Select(pair =>
        $"One stream, {pair.Cipher}: ours {Format.Digits(Rate(pair.Ours))} MB/s, {Sentences.Code(pair.Theirs.Client)} "
        + $"{Format.Digits(Rate(pair.Theirs))} MB/s: {Format.Ratio(Rate(pair.Ours) / Rate(pair.Theirs))}"
        + (Rate(pair.Ours) < Rate(pair.Theirs) ? ", **slower**" : string.Empty)
        + (pair.Ours.Seconds!.Value.Overlaps(pair.Theirs.Seconds!.Value) ? ", ranges overlap." : "."));

    private IEnumerable<string> Growth() => Growths().Select(growth => Format.Text(
        $"{growth.Name}: {Format.Digits(Rate(growth.One))} MB/s with one stream, {Format.Digits(Rate(growth.Best))} MB/s with ")
        + Format.Text($"{growth.Best.Files}: {Format.Ratio(Rate(growth.Best) / Rate(growth.One))}."));

    private IEnumerable<string> Ciphers() =>
        from program in _results.Values.Where(result =>
            result is { Files: 1, Seconds: not null } && CipherLabel.CipherOf(result) is not null).GroupBy(
            result => result.Client.Split(' ')[0])
        let gcm = program.Where(result => CipherLabel.IsGcm(CipherLabel.CipherOf(result)!)).MaxBy(Rate)
        let ctr = program.Where(result => !CipherLabel.IsGcm(CipherLabel.CipherOf(result)!)).MaxBy(Rate)
        where gcm is not null && ctr is not null
        select $"{Sentences.Code(program.Key)}, one stream: {CipherLabel.CipherOf(gcm)} has "
        + $"{Format.Ratio(Rate(gcm) / Rate(ctr))} the throughput of {CipherLabel.CipherOf(ctr)}.";
}
