using System.Text.Json.Serialization;

namespace Transfer.Wan.Records;

/// <summary>How records are written as lines of JSON, and read again.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(WanRecord))]
internal sealed partial class WanRecordContext : JsonSerializerContext;
