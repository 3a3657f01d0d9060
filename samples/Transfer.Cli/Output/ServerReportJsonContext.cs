using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>Generated serialization of reports about servers.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Serialization,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ServerReportJson))]
internal sealed partial class ServerReportJsonContext : JsonSerializerContext;
