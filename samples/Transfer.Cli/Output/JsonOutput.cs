using System.Text.Json;
using System.Text.Json.Serialization;

namespace Transfer.Cli.Output;

/// <summary>Prints the command's JSON, one object a line.</summary>
[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Serialization, DefaultIgnoreCondition = JsonIgnoreCondition.Never)]
[JsonSerializable(typeof(JobJson))]
[JsonSerializable(typeof(AddressJson))]
[JsonSerializable(typeof(ListFailureJson))]
[JsonSerializable(typeof(FailedRunJson))]
internal sealed partial class JsonOutput : JsonSerializerContext
{
    public static ValueTask WriteAsync(Stream output, JobJson job, CancellationToken ct) =>
        WriteLineAsync(output, JsonSerializer.SerializeToUtf8Bytes(job, Default.JobJson), ct);

    public static ValueTask WriteAsync(Stream output, EntryJson entry, CancellationToken ct) =>
        WriteLineAsync(output, JsonSerializer.SerializeToUtf8Bytes(entry, EntryJsonContext.Default.EntryJson), ct);

    public static ValueTask WriteAsync(Stream output, ServerReportJson report, CancellationToken ct) =>
        WriteLineAsync(output, JsonSerializer.SerializeToUtf8Bytes(report, ServerReportJsonContext.Default.ServerReportJson), ct);

    public static ValueTask WriteAsync(Stream output, ListFailureJson failure, CancellationToken ct) =>
        WriteLineAsync(output, JsonSerializer.SerializeToUtf8Bytes(failure, Default.ListFailureJson), ct);

    public static ValueTask WriteAsync(Stream output, AddressJson address, CancellationToken ct) =>
        WriteLineAsync(output, JsonSerializer.SerializeToUtf8Bytes(address, Default.AddressJson), ct);

    private static async ValueTask WriteLineAsync(Stream output, byte[] json, CancellationToken ct)
    {
        var line = new byte[json.Length + 1];
        json.CopyTo(line, 0);
        line[^1] = (byte)'\n';
        await output.WriteAsync(line, ct);
    }
}
