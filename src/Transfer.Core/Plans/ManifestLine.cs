using System.Text.Json.Serialization;

namespace Transfer.Plans;

/// <summary>A line of a manifest: the header, an item or the end. Each kind has some of the fields; docs/plans.md describes them.</summary>
internal sealed record ManifestLine
{
    public const string Kind = "manifest";

    public string? Transfer { get; init; }

    public int? Version { get; init; }

    public string? Plan { get; init; }

    public int? Part { get; init; }

    public int? Parts { get; init; }

    public bool? Final { get; init; }

    public string? Source { get; init; }

    public string? Target { get; init; }

    public SyncComparison? Compare { get; init; }

    public LinkHandling? Links { get; init; }

    public NameMapping? Names { get; init; }

    public bool? DeleteForEmptySource { get; init; }

    public string? Path { get; init; }

    /// <summary>The path's bytes in base64, in place of the text, where they are no UTF-8.</summary>
    public byte[]? PathBytes { get; init; }

    public ItemAction? Action { get; init; }

    public RemoteEntryType? Type { get; init; }

    public long? Length { get; init; }

    public DateTimeOffset? Modified { get; init; }

    public string? Group { get; init; }

    public byte[]? GroupBytes { get; init; }

    public bool? End { get; init; }

    public long? Items { get; init; }

    [JsonIgnore]
    public bool IsItem => Path is not null || PathBytes is not null;

    public static ManifestLine Of(PlanHeader header) => new()
    {
        Transfer = Kind,
        Version = PlanHeader.CurrentVersion,
        Plan = header.Id,
        Part = header.IsFinal ? null : header.Part,
        Parts = header.Parts,
        Final = header.IsFinal ? true : null,
        Source = header.Source,
        Target = header.Target,
        Compare = header.Compare,
        Links = header.Links,
        Names = header.NameMapping,
        DeleteForEmptySource = header.DeleteForEmptySource ? true : null,
    };

    public static ManifestLine Of(PlannedItem item)
    {
        var bytes = LocalPath.BytesOf(item.Path);
        var groupBytes = item.Group is { } group ? LocalPath.BytesOf(group) : null;
        return new()
        {
            Path = bytes is null ? item.Path : null,
            PathBytes = bytes,
            Action = item.Action == ItemAction.Transfer ? null : item.Action,
            Type = item.Type == RemoteEntryType.File ? null : item.Type,
            Length = item.Length,
            Modified = item.Modified,
            Group = groupBytes is null ? item.Group : null,
            GroupBytes = groupBytes,
        };
    }

    public PlannedItem ToItem() => new()
    {
        Path = Path ?? NameEncoding.LosslessUtf8.GetString(PathBytes!),
        Action = Action ?? ItemAction.Transfer,
        Type = Type ?? RemoteEntryType.File,
        Length = Length,
        Modified = Modified,
        Group = Group ?? (GroupBytes is null ? null : NameEncoding.LosslessUtf8.GetString(GroupBytes)),
    };
}
