using System.Text.Json;
using System.Text.Json.Serialization;
using Transfer.Wan.Records;

namespace Transfer.Wan.Reports;

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(WanRecord))]
internal sealed partial class RecordContext : JsonSerializerContext;
