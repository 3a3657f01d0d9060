namespace Transfer.Cli.Output;

/// <summary>Names each item on standard error (<c>-v</c>).</summary>
internal sealed class ItemLines(Messages messages) : IItemOutput
{
    public void Write(ItemEvent item)
    {
        if (item.IsUnchanged) return;
        var detail = ItemText.Detail(item);
        var bytes = ItemText.Bytes(item) is { } count ? $" ({Quantity.Bytes(count)})" : string.Empty;
        messages.Write($"{item.Action} {item.Path}{bytes}{(detail.Length > 0 ? ": " + detail : string.Empty)}");
    }
}
