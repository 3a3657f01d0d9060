using System.Text;
using System.Text.Json;

namespace Transfer.Cli.Output;

/// <summary>Prints what a dry run finds, an item a line, as it comes. What both sides have alike is not worth one.</summary>
internal sealed class PlanOutput(CommandHost host, bool json) : IItemOutput
{
    private readonly Lock _gate = new();

    public void Write(ItemEvent item)
    {
        if (item.IsUnchanged || item.Failure is not null && !json) return;
        var line = json
            ? JsonSerializer.SerializeToUtf8Bytes(ActionJson.Of(item), EntryJsonContext.Default.ActionJson)
            : NameEncoding.LosslessUtf8.GetBytes(Text(item));
        lock (_gate)
        {
            host.Output.Write(line);
            host.Output.Write("\n"u8);
        }
    }

    private string Text(ItemEvent item)
    {
        var text = new StringBuilder(ActionJson.NameOf(item.Item.Action)).Append(' ');
        if (item.FromPath is { } from) text.Append(Name(from)).Append(" -> ");
        text.Append(Name(item.Path));
        if (item.Item.Type == RemoteEntryType.Directory) text.Append('/');
        if (item.Item.MappedTo is { } there) text.Append(" -> ").Append(Name(there));
        return text.ToString();
    }

    private string Name(string path) => EntryTable.Name(path, host.OutputIsTerminal);
}
