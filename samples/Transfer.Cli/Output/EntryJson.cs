using System.Text.Json.Serialization;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Output;

/// <summary>One entry, as <c>ls --json</c> and <c>stat --json</c> print it on a line of its own. What is not known is left out.</summary>
internal sealed record EntryJson
{
    /// <summary>As text: a byte that is no UTF-8 stands as <c>\x</c> and two hexadecimal digits.</summary>
    [JsonPropertyName("path")]
    public required string Path { get; init; }

    /// <summary>The path's bytes in base64, where they are no UTF-8.</summary>
    [JsonPropertyName("nameBytes")]
    public byte[]? NameBytes { get; init; }

    /// <summary>The path percent-encoded, where it holds bytes that are no UTF-8 and JSON text therefore cannot.</summary>
    [JsonPropertyName("encodedPath")]
    public string? EncodedPath { get; init; }

    [JsonPropertyName("type")]
    public required string Type { get; init; }

    [JsonPropertyName("length")]
    public long? Length { get; init; }

    [JsonPropertyName("modified")]
    public DateTimeOffset? Modified { get; init; }

    [JsonPropertyName("created")]
    public DateTimeOffset? Created { get; init; }

    /// <summary>Permission bits in octal: <c>0644</c>.</summary>
    [JsonPropertyName("mode")]
    public string? Mode { get; init; }

    [JsonPropertyName("owner")]
    public string? Owner { get; init; }

    [JsonPropertyName("linkTarget")]
    public string? LinkTarget { get; init; }

    public static EntryJson From(RemoteEntry entry) => new()
    {
        Path = LocalPath.TextOf(entry.Path),
        NameBytes = LocalPath.BytesOf(entry.Path),
        EncodedPath = LocalPath.BytesOf(entry.Path) is null ? null : string.Join('/', entry.Path.Split('/').Select(PercentEncoding.Encode)),
        Type = TypeName(entry.Type),
        Length = entry.Length,
        Modified = entry.Modified?.ToUniversalTime(),
        Created = entry.Created?.ToUniversalTime(),
        Mode = entry.Mode is { } mode ? ModeText(mode) : null,
        Owner = entry.Owner,
        LinkTarget = entry.LinkTarget is { } target ? LocalPath.TextOf(target) : null,
    };

    public static string TypeName(RemoteEntryType type) => type switch
    {
        RemoteEntryType.File => "file",
        RemoteEntryType.Directory => "directory",
        RemoteEntryType.Link => "link",
        _ => "other",
    };

    public static string ModeText(UnixFileMode mode) => "0" + Convert.ToString((int)mode & 0xFFF, 8).PadLeft(3, '0');
}
