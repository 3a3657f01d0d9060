using Spectre.Console;

namespace Transfer.Cli.Output;

/// <summary>A line for each session that moves something: the file, how much of it, and the session's rate.</summary>
internal sealed class LaneRows(Func<IReadOnlyList<TransferLane>> lanes, TimeProvider time)
{
    // A line that comes and goes with every small file could not be read.
    private static readonly TimeSpan Linger = TimeSpan.FromSeconds(1);

    private readonly Dictionary<int, Row> _rows = [];
    private readonly Dictionary<ProgressTask, Row> _byTask = [];

    /// <summary>What stands behind a task's bar; null: it is none of ours.</summary>
    public string? TextOf(ProgressTask task)
    {
        lock (_byTask) return _byTask.GetValueOrDefault(task)?.Text;
    }

    /// <summary>Adds, changes and removes lines.</summary>
    /// <param name="context">The display.</param>
    /// <param name="layout">The widths of a line.</param>
    /// <param name="most">The most lines.</param>
    public void Update(ProgressContext context, ProgressLayout layout, int most)
    {
        foreach (var lane in lanes())
        {
            if (!_rows.TryGetValue(lane.Number, out var row))
            {
                if (_rows.Count >= most) continue;
                row = new Row(context.AddTask(Name(lane.Path, layout)), new LaneRate(time));
                _rows.Add(lane.Number, row);
                lock (_byTask) _byTask.Add(row.Task, row);
            }

            row.Show(lane, layout, time.GetTimestamp());
        }

        foreach (var (number, row) in _rows.ToList())
        {
            if (time.GetElapsedTime(row.Seen) < Linger) continue;
            row.Task.StopTask();
            _rows.Remove(number);
            lock (_byTask) _byTask.Remove(row.Task);
        }
    }

    internal static string Name(string path, ProgressLayout layout) => layout.NameOf(PrintableText.Of(RemotePath.GetName(path)));

    /// <summary><c>1.20 MB of 3.00 MB  512 kB/s  +7 files</c>, as far as it is known and has room.</summary>
    internal static string Format(in TransferLane lane, double rate, ProgressLayout layout)
    {
        var speed = rate > 0 ? $"{Quantity.Bytes(rate)}/s" : string.Empty;
        var text = lane.TotalBytes is { } total ? $"{Quantity.Bytes(lane.Bytes)} of {Quantity.Bytes(total)}" : Quantity.Bytes(lane.Bytes);
        var both = speed.Length > 0 ? $"{text}  {speed}" : text;
        return layout.Fit(lane.Files > 1 ? both + $"  +{Quantity.Files(lane.Files - 1)}" : both, both,
            speed.Length > 0 ? $"{Quantity.Bytes(lane.Bytes)}  {speed}" : Quantity.Bytes(lane.Bytes), Quantity.Bytes(lane.Bytes));
    }

    private sealed class Row(ProgressTask task, LaneRate rate)
    {
        public ProgressTask Task => task;

        public long Seen { get; private set; }

        public string Text { get; private set; } = string.Empty;

        public void Show(in TransferLane lane, ProgressLayout layout, long now)
        {
            Seen = now;
            task.Description = Name(lane.Path, layout);
            task.IsIndeterminate = lane.TotalBytes is null;
            // A full task would end.
            task.MaxValue = Math.Max(1, lane.TotalBytes ?? 1);
            task.Value = Math.Min(lane.Bytes, task.MaxValue * 0.9999);
            Text = Format(lane, rate.Add(lane.Moved), layout);
        }
    }
}
