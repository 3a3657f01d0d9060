using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>Generated serialization of entries and actions, whose unknown facts are left out.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EntryJson))]
[JsonSerializable(typeof(ActionJson))]
internal sealed partial class EntryJsonContext : JsonSerializerContext;
