using System.Text;
using System.Text.Json;

namespace Transfer.Cli.Output;

/// <summary>Prints what a dry run finds, an item a line, as it comes. What both sides have alike is not worth one.</summary>
internal sealed class PlanOutput
{
    private readonly CommandHost _host;
    private readonly bool _json;
    private readonly string _prefix;
    private readonly Lock _gate;

    public PlanOutput(CommandHost host, bool json)
        : this(host, json, string.Empty, new Lock())
    {
    }

    private PlanOutput(CommandHost host, bool json, string prefix, Lock gate) =>
        (_host, _json, _prefix, _gate) = (host, json, prefix, gate);

    /// <summary>The same for items whose paths are relative to something.</summary>
    public PlanOutput Below(string prefix) => new(_host, _json, _prefix + prefix, _gate);

    public void Write(ItemResult item)
    {
        if (item.Action == ItemAction.Keep || item.Error is not null && !_json) return;
        var line = _json
            ? JsonSerializer.SerializeToUtf8Bytes(ActionJson.Of(item, _prefix), EntryJsonContext.Default.ActionJson)
            : NameEncoding.LosslessUtf8.GetBytes(Text(item));
        lock (_gate)
        {
            _host.Output.Write(line);
            _host.Output.Write("\n"u8);
        }
    }

    private string Text(ItemResult item)
    {
        var text = new StringBuilder(ActionJson.NameOf(item.Action)).Append(' ');
        if (item.MovedFrom is { } from) text.Append(Name(from)).Append(" -> ");
        text.Append(Name(item.Path));
        if (item.Type == RemoteEntryType.Directory) text.Append('/');
        if (item.MappedTo is { } there) text.Append(" -> ").Append(EntryTable.Name(there, _host.OutputIsTerminal));
        return text.ToString();
    }

    private string Name(string path) => EntryTable.Name(_prefix + path, _host.OutputIsTerminal);
}
