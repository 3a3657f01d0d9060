namespace Transfer.Cli.Output;

/// <summary>Receives the items of a run as they end, in their order. Thread-safe.</summary>
internal interface IItemOutput
{
    void Write(ItemEvent item);
}
