namespace Transfer.Cli.Output;

/// <summary>Several outputs as one.</summary>
internal sealed class ItemOutputs(IReadOnlyList<IItemOutput> outputs) : IItemOutput
{
    public void Write(ItemEvent item)
    {
        foreach (var output in outputs) output.Write(item);
    }
}
