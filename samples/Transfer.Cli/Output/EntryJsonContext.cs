using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>Generated serialization of entries and actions, whose unknown facts are left out.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Serialization,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EntryJson))]
[JsonSerializable(typeof(ActionJson))]
[JsonSerializable(typeof(ItemJson))]
[JsonSerializable(typeof(FolderSumJson))]
[JsonSerializable(typeof(SpaceJson))]
[JsonSerializable(typeof(HashJson))]
[JsonSerializable(typeof(CheckJson))]
[JsonSerializable(typeof(CheckSummaryJson))]
[JsonSerializable(typeof(ReportJson))]
internal sealed partial class EntryJsonContext : JsonSerializerContext;
