using Transfer.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>An item on its own, to look at what a session does with it.</summary>
internal sealed class TestItem : WorkItem
{
    private long _end = long.MaxValue;

    public TestItem(WorkKind kind, string path, IContent content)
        : base(kind, path, content)
    {
    }

    public CancellationTokenSource Cancel { get; } = new();

    public List<WorkOutcome> Outcomes { get; } = [];

    public WorkOutcome Outcome => Outcomes.Single();

    public long Reported { get; private set; }

    /// <summary>The end that the item has once the first bytes have moved; null: it keeps its own.</summary>
    public long? LowersEnd { get; init; }

    /// <summary>The most bytes of the item under way; null: no bound.</summary>
    public int? OwnWindow { get; init; }

    public override int? Window => OwnWindow;

    public override long End
    {
        get => _end;
        init => _end = value;
    }

    public override CancellationToken Canceled => Cancel.Token;

    public override void Report(long bytes)
    {
        Reported += bytes;
        _end = LowersEnd ?? _end;
    }

    public override void Complete(WorkOutcome outcome) => Outcomes.Add(outcome);
}

/// <summary>Gives a list of items, one after the other.</summary>
internal sealed class ListSource(params WorkItem[] items) : IWorkSource
{
    public int Taken { get; private set; }

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        if (Taken == items.Length) return new(0);
        into.Span[0] = items[Taken++];
        return new(1);
    }
}

/// <summary>Bytes in memory, read or written by offset.</summary>
internal sealed class TestContent(byte[] bytes, bool announce = true) : IContent
{
    public byte[] Bytes { get; private set; } = bytes;

    public TransferException? Fault { get; init; }

    public long? Length => announce ? Bytes.Length : null;

    public bool CanReplay => true;

    public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        if (Fault is not null) throw Fault;
        var count = (int)Math.Min(buffer.Length, Bytes.Length - offset);
        Bytes.AsSpan((int)offset, count).CopyTo(buffer.Span);
        return new(count);
    }

    public ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        if (Fault is not null) throw Fault;
        var end = (int)offset + data.Length;
        if (Bytes.Length < end) Bytes = [.. Bytes, .. new byte[end - Bytes.Length]];
        data.CopyTo(Bytes.AsMemory((int)offset));
        return default;
    }
}
