namespace Transfer.Tests.Replay;

/// <summary>Any work may be next.</summary>
internal sealed class RandomOrder(Random random) : IWorkOrder
{
    public int Choose(IReadOnlyList<ReadyWork> ready) => random.Next(ready.Count);
}
