using System.Text.Json;
using Transfer.Wan.Records;

namespace Transfer.Wan.Runs;

/// <summary>
/// The records of a run: kept, and written as lines when they are made, so that what was measured stays when the run breaks off.
/// </summary>
internal sealed class RecordFile(string path) : IDisposable
{
    private readonly StreamWriter _lines = new(path) { AutoFlush = true, NewLine = "\n" };
    private readonly List<WanRecord> _records = [];

    public IReadOnlyList<WanRecord> Records => _records;

    public void Add(WanRecord record)
    {
        _records.Add(record);
        _lines.WriteLine(JsonSerializer.Serialize(record, WanRecordContext.Default.WanRecord));
    }

    public void Dispose() => _lines.Dispose();
}
