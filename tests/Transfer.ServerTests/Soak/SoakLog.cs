using System.Text.Json;

namespace Transfer.ServerTests.Soak;

/// <summary>A log of <c>--log-format jsonl</c>, replayed: the files that the target must have, by the log alone.</summary>
internal sealed class SoakLog
{
    /// <summary>The lengths of the files that the log accounts for, by path.</summary>
    public Dictionary<string, long> Files { get; } = new(StringComparer.Ordinal);

    /// <summary>The paths with failures: an action may have been done though its answer was lost.</summary>
    public HashSet<string> Doubtful { get; } = new(StringComparer.Ordinal);

    /// <summary>The lengths of all files sent, by path, in order.</summary>
    public Dictionary<string, List<long>> Sent { get; } = new(StringComparer.Ordinal);

    /// <summary>The runs that began, and those that ended.</summary>
    public (int Begun, int Ended) Runs { get; private set; }

    /// <summary>The bytes of all files sent.</summary>
    public long Bytes { get; private set; }

    /// <summary>The number of items that failed.</summary>
    public int Failures { get; private set; }

    /// <summary>Reads a log from its beginning.</summary>
    public static SoakLog Read(string path)
    {
        var log = new SoakLog();
        foreach (var line in File.ReadLines(path))
        {
            using var item = JsonDocument.Parse(line);
            log.Add(item.RootElement);
        }

        return log;
    }

    private void Add(JsonElement item)
    {
        var action = item.GetProperty("action").GetString();
        if (action == "begin") Runs = (Runs.Begun + 1, Runs.Ended);
        else if (action == "end") Runs = (Runs.Begun, Runs.Ended + 1);
        if (!item.TryGetProperty("path", out var name) || item.TryGetProperty("type", out _)) return;
        var path = name.GetString()!;
        switch (action)
        {
            case "sent":
                var bytes = item.GetProperty("bytes").GetInt64();
                Files[path] = bytes;
                if (!Sent.TryGetValue(path, out var all)) Sent.Add(path, all = []);
                all.Add(bytes);
                Bytes += bytes;
                break;
            case "deleted":
                Files.Remove(path);
                break;
            case "moved":
                if (Files.Remove(item.GetProperty("from").GetString()!, out var moved)) Files[path] = moved;
                else Doubtful.Add(path);
                break;
            case "failed":
                Doubtful.Add(path);
                Failures++;
                break;
        }
    }
}
