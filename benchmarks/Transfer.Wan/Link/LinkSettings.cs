using Transfer.Wan.Records;

namespace Transfer.Wan.Link;

/// <summary>What a link is to be.</summary>
/// <param name="Shape">Its delay, rate, jitter and loss; a rate of 0 is none.</param>
/// <param name="Queue">Bytes that wait at most before each way's wire.</param>
internal sealed record LinkSettings(LinkShape Shape, long Queue)
{
    /// <summary>Settings with the usual queue.</summary>
    public static LinkSettings For(LinkShape shape) => new(shape, WireSchedule.DefaultQueue(shape));
}
