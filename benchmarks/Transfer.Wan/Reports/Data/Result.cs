using Transfer.Wan.Records;

namespace Transfer.Wan.Reports.Data;

/// <summary>All turns of one client at one scenario.</summary>
internal sealed record Result
{
    private Result(Run run, IReadOnlyList<Measured> turns)
    {
        (Run, Turns) = (run, turns);
        Link = run.FindLink(Turns[0].Link);
        Failures = [.. turns.Where(turn => !IsGood(turn))];
        IsExtrapolated = turns.Any(turn => IsGood(turn) && turn.FilesMoved < turn.Files);
        IsStopped = turns.Any(turn => IsGood(turn) && turn.BytesMoved is not null);
        Seconds = Summary.Of(turns.Where(IsGood).Select(turn => turn.Seconds!.Value * Scale(turn)));
        First = Summary.Of(turns.Where(turn => IsGood(turn) && turn.FirstSeconds is not null).Select(turn => turn.FirstSeconds!.Value));
        Peak = Most(turn => turn.PeakBytes);
        FarPeak = Most(turn => turn.FarPeakBytes);
        Sent = Summary.Of(
            turns.Where(turn => IsGood(turn) && turn.SentBytes is not null).Select(turn => turn.SentBytes!.Value * Scale(turn)));
        Received = Summary.Of(
            turns.Where(turn => IsGood(turn) && turn.ReceivedBytes is not null).Select(turn => turn.ReceivedBytes!.Value * Scale(turn)));
        ProcessorSeconds = Summary.Of(
            turns.Where(turn => IsGood(turn) && turn.ProcessorSeconds is not null).Select(
                turn => turn.ProcessorSeconds!.Value * Scale(turn)));
    }

    public Run Run { get; }

    public IReadOnlyList<Measured> Turns { get; }

    /// <summary>The check of the link; null: there was none, as over loopback.</summary>
    public LinkChecked? Link { get; }

    public IReadOnlyList<Measured> Failures { get; }

    /// <summary>The client moved a part of the files, and its times are what all of them would take at that pace.</summary>
    public bool IsExtrapolated { get; }

    /// <summary>Times of the turns that were good; null: none was.</summary>
    public Summary? Seconds { get; }

    /// <summary>Times to the first output; null: not known.</summary>
    public Summary? First { get; }

    /// <summary>
    /// The client was stopped when its time was over, and its times are what all bytes would take at the rate until then.
    /// </summary>
    public bool IsStopped { get; }

    public Summary? ProcessorSeconds { get; }

    /// <summary>The most memory of the client in any good turn, in bytes; null: not known.</summary>
    public long? Peak { get; }

    /// <summary>The same of our own program at the far end; null: there was none, or it is not known.</summary>
    public long? FarPeak { get; }

    /// <summary>Bytes of packets that the clients' end sent; null: not known.</summary>
    public Summary? Sent { get; }

    /// <summary>Bytes of packets that it received; null: not known.</summary>
    public Summary? Received { get; }

    public string Scenario => Turns[0].Scenario;

    public string Client => Turns[0].Client;

    public string Server => Turns[0].Server;

    public string Protocol => Turns[0].Protocol;

    public string Direction => Turns[0].Direction;

    public int Files => Turns[0].Files;

    public long Bytes => Turns[0].Bytes;

    public double FileSize => Files > 0 ? (double)Bytes / Files : 0;

    /// <summary>Ours is the command and its modes; everything else is a peer.</summary>
    public bool IsOurs => Client == "transfer" || Client.StartsWith("transfer ", StringComparison.Ordinal);

    /// <summary>The name of the link in the run's lines.</summary>
    public string LinkName => Turns[0].Link;

    /// <summary>Milliseconds that were asked for; null without a link.</summary>
    public double? RoundTrip => Link?.Asked.RoundTrip;

    /// <summary>The page cache was emptied before each turn.</summary>
    public bool IsCold => Scenario.EndsWith("-cold", StringComparison.Ordinal);

    /// <summary>10^6 bytes of content a second.</summary>
    public Summary? MegabytesPerSecond => Seconds?.Through(seconds => Bytes / 1e6 / seconds);

    /// <summary>Time for a file in round trips of the link as it really was; null on links without a round trip to speak of.</summary>
    public double? RoundTripsPerFile =>
        Seconds is { } seconds && Files > 0 && Link?.Given.RoundTrip is >= 5 and var roundTrip
        ? seconds.Median * 1000 / Files / roundTrip : null;

    public static IEnumerable<Result> Of(Run run) =>
        run.Turns.GroupBy(turn => (turn.Scenario, turn.Client, turn.Link)).Select(turns => new Result(run, [.. turns]));

    private long? Most(Func<Measured, long?> figure) => Turns.Where(IsGood).Max(figure);

    private static bool IsGood(Measured turn) => turn is { Error: null, Seconds: > 0, FilesMoved: null or > 0, BytesCarried: null or > 0 };

    // Time for everything, at the pace of what was moved.
    private static double Scale(Measured turn) => turn switch
    {
        { BytesCarried: { } bytes } when bytes < turn.Bytes => (double)turn.Bytes / bytes,
        { FilesMoved: { } files } when files < turn.Files => (double)turn.Files / files,
        _ => 1,
    };
}
