using System.Text.Json;
using Transfer.Wan.Records;

namespace Transfer.Wan.Reports;

/// <summary>Reads records from JSON lines: one object a line, <c>kind</c> first.</summary>
internal static class RecordLines
{
    /// <summary>Reads a file of records; empty lines are passed over.</summary>
    /// <exception cref="FormatException">A line is not a record; the message has its number.</exception>
    public static IReadOnlyList<WanRecord> ReadFile(string path)
    {
        using var reader = new StreamReader(path);
        try
        {
            return Read(reader);
        }
        catch (FormatException e)
        {
            throw new FormatException($"{Path.GetFileName(path)}: {e.Message}", e);
        }
    }

    /// <summary>Reads records; empty lines are passed over.</summary>
    /// <exception cref="FormatException">A line is not a record; the message has its number.</exception>
    public static IReadOnlyList<WanRecord> Read(TextReader lines)
    {
        var records = new List<WanRecord>();
        for (var number = 1; lines.ReadLine() is { } line; number++)
        {
            if (!string.IsNullOrWhiteSpace(line)) records.Add(Parse(line, number));
        }

        return records;
    }

    private static WanRecord Parse(string line, int number)
    {
        try
        {
            return JsonSerializer.Deserialize(line, WanRecordContext.Default.WanRecord)
                ?? throw new FormatException($"line {number} is not a record: it is null");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException)
        {
            // NotSupportedException: an object without a kind.
            throw new FormatException($"line {number} is not a record: {e.Message}", e);
        }
    }
}
