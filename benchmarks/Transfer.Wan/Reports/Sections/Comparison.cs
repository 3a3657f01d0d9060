using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>Ours beside peers in words, by the medians.</summary>
internal static class Comparison
{
    /// <summary>How ours stands to the peers: the nearest and the farthest that it beats, and each that it does not.</summary>
    public static string Sentence(Result ours, IReadOnlyList<Result> peers)
    {
        if (ours.Seconds is not { } time) return $"{Sentences.Code(ours.Client)} failed.";
        var text = $"{Sentences.Code(ours.Client)} takes {Format.Seconds(time.Median)}";
        var measured = peers.Where(peer => peer.Seconds is not null).OrderBy(peer => peer.Seconds!.Value.Median).ToLookup(
            peer => peer.Seconds!.Value.Median > time.Median);
        Result[] beaten = [.. measured[true]];
        Result[] better = [.. measured[false]];
        if (beaten.Length + better.Length == 0) return text + "; no peer was measured beside it.";
        if (better.Length > 0) text += $". **Not faster** than {Sentences.List(better.Select(peer => Describe(ours, peer)))}";
        if (beaten.Length > 0)
        {
            var all = better.Length > 0 ? "; " : beaten.Length > 1 ? ", less than every peer: " : ", ";
            Result[] named = beaten.Length > 1 ? [beaten[0], beaten[^1]] : [beaten[0]];
            text += all + Sentences.List(named.Select(peer => Describe(ours, peer)));
        }

        return text + ".";
    }

    private static string Describe(Result ours, Result peer)
    {
        var (time, reference) = (peer.Seconds!.Value, ours.Seconds!.Value);
        var note = ResultCells.Note(peer) is { } word ? ", " + word : string.Empty;
        var overlap = reference.Overlaps(time) ? ", ranges overlap" : string.Empty;
        return $"{Sentences.Code(peer.Client)} ({Format.Seconds(time.Median)}, {Format.Ratio(time.Median / reference.Median)} as "
            + $"long{note}{overlap})";
    }
}
