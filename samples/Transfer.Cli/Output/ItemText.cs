using System.Globalization;

namespace Transfer.Cli.Output;

/// <summary>The facts of an item that ended, for lines of text.</summary>
internal static class ItemText
{
    /// <summary>The content bytes that moved; null: the action moves none.</summary>
    public static long? Bytes(ItemEvent item) =>
        item is { Failure: null, Item: { Action: ItemAction.Transfer, Result: { Skipped: false } result } } && item.Done == Sent
        ? result.Bytes : null;

    /// <summary>The name of the action of transfers.</summary>
    public const string Sent = "sent";

    /// <summary>The reason of an item that was left out, as one word for programs; null: the item was not left out.</summary>
    public static string? Reason(ItemResult item) => item.Reason switch
    {
        SkipReason.Exists => "exists",
        SkipReason.NotNewer => "notNewer",
        SkipReason.Finished => "finished",
        SkipReason.Link => "link",
        SkipReason.LinkTarget => "linkTarget",
        SkipReason.Special => "special",
        SkipReason.Reserved => "reserved",
        _ => null,
    };

    /// <summary>The remaining facts: the failure, the reason, or the item's other name and its retries. Empty: there are none.</summary>
    public static string Detail(ItemEvent item)
    {
        if (item.Failure is { } failure) return $"{failure.Kind}: {failure.Error.Message}";
        var facts = new List<string>();
        if (item.Item.Reason is { } reason) facts.Add(Words(reason));
        if (item.FromPath is { } from) facts.Add("from " + from);
        if (item.Item.MappedTo is { } to) facts.Add("as " + to);
        if (item.Item.Result is { ResumedAt: > 0 and var resumed })
            facts.Add(string.Create(CultureInfo.InvariantCulture, $"resumed at {resumed}"));
        if (item.Item.Result is { Attempts: > 1 and var attempts })
            facts.Add(string.Create(CultureInfo.InvariantCulture, $"attempt {attempts}"));
        if (item.Item.Result is { Hash: { } hash, HashAlgorithm: { } algorithm }) facts.Add($"{algorithm} {hash}");
        return string.Join(", ", facts);
    }

    private static string Words(SkipReason reason) => reason switch
    {
        SkipReason.Exists => "the target exists",
        SkipReason.NotNewer => "not newer than the target",
        SkipReason.Finished => "sent by an earlier run",
        SkipReason.Link => "a link",
        SkipReason.LinkTarget => "a link that leads nowhere, or round in circles",
        SkipReason.Special => "neither a file nor a folder",
        SkipReason.Reserved => "a folder of unfinished files or backups",
        _ => reason.ToString(),
    };
}
