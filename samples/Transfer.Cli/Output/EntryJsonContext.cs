using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>Generated serialization of entries, whose unknown facts are left out.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EntryJson))]
internal sealed partial class EntryJsonContext : JsonSerializerContext;
