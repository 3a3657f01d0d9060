using Spectre.Console;

namespace Transfer.Cli.Output;

/// <summary>A line for each session that moves something: the file, how much of it, and the session's rate.</summary>
internal sealed class LaneRows(Func<IReadOnlyList<TransferLane>> lanes, TimeProvider time, int most)
{
    private const int NameWidth = 28;

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
    public void Update(ProgressContext context)
    {
        foreach (var lane in lanes())
        {
            if (!_rows.TryGetValue(lane.Number, out var row))
            {
                if (_rows.Count >= most) continue;
                row = new Row(context.AddTask(Markup.Escape(Name(lane.Path))), new LaneRate(time));
                _rows.Add(lane.Number, row);
                lock (_byTask) _byTask.Add(row.Task, row);
            }

            row.Show(lane, time.GetTimestamp());
        }

        foreach (var (number, row) in _rows.ToList())
        {
            if (time.GetElapsedTime(row.Seen) < Linger) continue;
            row.Task.StopTask();
            _rows.Remove(number);
            lock (_byTask) _byTask.Remove(row.Task);
        }
    }

    /// <summary>The file's name, shortened in its midst: what tells files apart is at the ends.</summary>
    internal static string Name(string path)
    {
        var name = PrintableText.Of(RemotePath.GetName(path));
        return name.Length <= NameWidth
            ? name.PadRight(NameWidth) : string.Concat(name.AsSpan(0, NameWidth / 2), "…", name.AsSpan(name.Length - NameWidth / 2 + 1));
    }

    /// <summary><c>1.20 MB of 3.00 MB  512 kB/s  +7 files</c>, as far as it is known.</summary>
    internal static string Format(in TransferLane lane, double rate)
    {
        var text = lane.TotalBytes is { } total ? $"{Quantity.Bytes(lane.Bytes)} of {Quantity.Bytes(total)}" : Quantity.Bytes(lane.Bytes);
        if (rate > 0) text += $"  {Quantity.Bytes(rate)}/s";
        return lane.Files > 1 ? text + $"  +{Quantity.Files(lane.Files - 1)}" : text;
    }

    private sealed class Row(ProgressTask task, LaneRate rate)
    {
        public ProgressTask Task => task;

        public long Seen { get; private set; }

        public string Text { get; private set; } = string.Empty;

        public void Show(in TransferLane lane, long now)
        {
            Seen = now;
            task.Description = Markup.Escape(Name(lane.Path));
            task.IsIndeterminate = lane.TotalBytes is null;
            // A full task would end.
            task.MaxValue = Math.Max(1, lane.TotalBytes ?? 1);
            task.Value = Math.Min(lane.Bytes, task.MaxValue * 0.9999);
            Text = Format(lane, rate.Add(lane.Moved));
        }
    }
}
