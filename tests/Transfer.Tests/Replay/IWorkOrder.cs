namespace Transfer.Tests.Replay;

/// <summary>Chooses which work runs next.</summary>
internal interface IWorkOrder
{
    /// <summary>The index of the work that runs next.</summary>
    int Choose(IReadOnlyList<ReadyWork> ready);
}
