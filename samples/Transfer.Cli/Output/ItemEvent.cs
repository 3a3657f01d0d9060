namespace Transfer.Cli.Output;

/// <summary>The end of one item.</summary>
/// <param name="Path">The name that messages have for the item: a local path or a URL.</param>
/// <param name="Done">The action that was done, or tried: <c>sent</c>, <c>deleted</c>.</param>
/// <param name="Item">The item as the job has reported it.</param>
/// <param name="Failure">The failure; null: none.</param>
internal sealed record ItemEvent(string Path, string Done, ItemResult Item, ItemFailure? Failure)
{
    public const string Failed = "failed";

    /// <summary>Both sides have the same already: a folder has too many of these for a line each.</summary>
    public bool IsUnchanged => Failure is null && Item.Action == ItemAction.Keep;

    /// <summary>The path of a moved file before, in the form of <see cref="Path"/>; null: the item was not moved.</summary>
    public string? FromPath =>
        Item.MovedFrom is { } from && Path.EndsWith(Item.Path, StringComparison.Ordinal) ? Path[..^Item.Path.Length] + from : null;

    /// <summary>The action, or <c>failed</c>.</summary>
    public string Action => Failure is null ? Done : Failed;

    /// <summary>Whether the item is a file that was not moved.</summary>
    private static bool IsSkipped(ItemResult item) => item.Action == ItemAction.Skip || item.Result is { Skipped: true };

    /// <summary>The event of an item.</summary>
    /// <param name="path">The name for messages.</param>
    /// <param name="item">The item.</param>
    /// <param name="transferred">The name of the action that <see cref="ItemAction.Transfer"/> stands for.</param>
    public static ItemEvent Of(string path, ItemResult item, string transferred) => new(path, item.Action switch
    {
        ItemAction.Keep => "unchanged",
        ItemAction.Move => "moved",
        ItemAction.Delete => "deleted",
        _ when IsSkipped(item) => "skipped",
        _ => transferred,
    }, item, item.Error is { } error ? new ItemFailure(path, error) : null);

    /// <summary>The event of an item that failed outside of a job, or whose whole job failed.</summary>
    public static ItemEvent Of(string path, Exception error) =>
        new(path, ItemText.Sent, new ItemResult { Path = path }, new ItemFailure(path, error));
}
