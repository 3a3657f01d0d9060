using System.Text.Json.Serialization;

namespace Transfer.Plans;

/// <summary>The JSON of manifests, results and summaries.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    UseStringEnumConverter = true)]
[JsonSerializable(typeof(ManifestLine))]
[JsonSerializable(typeof(PartResult))]
[JsonSerializable(typeof(PlanSummary))]
internal sealed partial class PlanJson : JsonSerializerContext;
