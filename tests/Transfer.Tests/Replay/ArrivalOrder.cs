namespace Transfer.Tests.Replay;

/// <summary>First in, first out.</summary>
internal sealed class ArrivalOrder : IWorkOrder
{
    public int Choose(IReadOnlyList<ReadyWork> ready) => 0;
}
