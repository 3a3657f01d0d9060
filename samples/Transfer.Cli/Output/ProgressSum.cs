using Transfer.Companions;

namespace Transfer.Cli.Output;

/// <summary>Adds up the progress of jobs that run side by side. Each says where it stands by itself, from any thread.</summary>
internal sealed class ProgressSum
{
    private readonly Lock _gate = new();
    private readonly HashSet<Part> _running = [];
    private TransferProgress _ended;

    /// <summary>Files of all jobs together, where that is known beforehand.</summary>
    public long? Expected { get; set; }

    /// <summary>One job's share. Disposed when the job has ended, whatever became of it.</summary>
    public Part Begin()
    {
        var part = new Part(this);
        lock (_gate) _running.Add(part);
        return part;
    }

    /// <summary>Where all of them together stand. A total is known when every part's is.</summary>
    public TransferProgress Snapshot()
    {
        lock (_gate)
        {
            var sum = _ended;
            long? totalBytes = sum.Bytes;
            long? totalFiles = sum.Files;
            foreach (var part in _running)
            {
                var now = part.Latest;
                sum = Sum(sum, now);
                totalBytes = LengthSum.Add(totalBytes, now.TotalBytes);
                totalFiles += now.TotalFiles;
            }

            // Several files: only when nothing is waiting any more are the bytes of all known.
            var waiting = Expected is { } expected && expected > (totalFiles ?? long.MaxValue);
            return sum with { TotalBytes = waiting ? null : totalBytes, TotalFiles = Expected ?? totalFiles };
        }
    }

    private static TransferProgress Sum(TransferProgress a, TransferProgress b) => new()
    {
        Bytes = LengthSum.Add(a.Bytes, b.Bytes),
        Files = a.Files + b.Files,
        BytesPerSecond = a.BytesPerSecond + b.BytesPerSecond,
        FilesPerSecond = a.FilesPerSecond + b.FilesPerSecond,
    };

    private void End(Part part)
    {
        lock (_gate)
            if (_running.Remove(part)) _ended = Sum(_ended, part.Latest with { BytesPerSecond = 0, FilesPerSecond = 0 });
    }

    /// <summary>One job's share of the sum.</summary>
    internal sealed class Part(ProgressSum owner) : IProgress<TransferProgress>, IDisposable
    {
        public TransferProgress Latest { get; private set; }

        public void Report(TransferProgress value)
        {
            lock (owner._gate) Latest = value;
        }

        public void Dispose() => owner.End(this);
    }
}
