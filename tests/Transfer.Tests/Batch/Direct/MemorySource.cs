using System.Collections.Concurrent;
using Transfer.Batch.Carriers;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Archives of random bytes, and what became of each.</summary>
internal sealed class MemorySource : IArchiveSource
{
    private readonly int _count;
    private readonly int _length;
    private int _next;

    public MemorySource(int count, int length, int first = 0)
    {
        _count = count;
        _length = length;
        _next = first;
    }

    public ConcurrentDictionary<long, ArchiveReceipt> Confirmed { get; } = [];

    public ConcurrentDictionary<long, TransferException> Failed { get; } = [];

    /// <summary>How often each was begun.</summary>
    public ConcurrentDictionary<long, int> Written { get; } = [];

    /// <summary>Called when bytes of an archive were written: its number and how many so far.</summary>
    public Func<long, int, Task> OnWritten { get; set; } = (_, _) => Task.CompletedTask;

    /// <summary>Asked before an archive is packed.</summary>
    public Func<long, Exception?> Broken { get; set; } = _ => null;

    /// <summary>Asked whether one more archive is to follow once all are settled.</summary>
    public Func<bool> OneMore { get; set; } = () => false;

    public static byte[] ContentOf(long index, int length)
    {
        var bytes = new byte[length];
        new Random((int)index).NextBytes(bytes);
        return bytes;
    }

    public ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct)
    {
        int index;
        lock (Written)
        {
            index = _next;
            if (index >= _count && !OneMore()) return ValueTask.FromResult<OutgoingArchive?>(null);
            _next++;
        }
        return ValueTask.FromResult<OutgoingArchive?>(new MemoryArchive(this, index));
    }

    private sealed class MemoryArchive(MemorySource source, long index) : OutgoingArchive
    {
        public override long Index => index;

        public override async ValueTask WriteToAsync(Stream destination, CancellationToken ct)
        {
            source.Written.AddOrUpdate(index, 1, (_, times) => times + 1);
            var content = ContentOf(index, source._length);
            for (var at = 0; at < content.Length; at += 10_000)
            {
                if (at > 0 && source.Broken(index) is { } error) throw error;
                await destination.WriteAsync(content.AsMemory(at, Math.Min(10_000, content.Length - at)), ct);
                await source.OnWritten(index, at);
            }
        }

        public override void Confirm(ArchiveReceipt receipt)
        {
            if (!source.Confirmed.TryAdd(index, receipt) || source.Failed.ContainsKey(index))
                throw new InvalidOperationException($"Archive {index} was settled twice.");
        }

        public override void Fail(TransferException error)
        {
            if (!source.Failed.TryAdd(index, error) || source.Confirmed.ContainsKey(index))
                throw new InvalidOperationException($"Archive {index} was settled twice.");
        }
    }
}
