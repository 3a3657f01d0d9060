namespace Transfer.Wan.Model;

/// <summary>The parts that wait: from the beginning, or since the death of their worker was noticed.</summary>
internal sealed class PartQueue
{
    private readonly Queue<ModelPart> _ready = new();
    private readonly PriorityQueue<ModelPart, double> _held = new();

    /// <param name="sizes">The files of each part.</param>
    public PartQueue(IEnumerable<double> sizes)
    {
        foreach (var size in sizes) _ready.Enqueue(new(size, 0));
    }

    /// <summary>The time at which the next held part is free; infinite: none is held.</summary>
    public double NextAt => _held.TryPeek(out _, out var at) ? at : double.PositiveInfinity;

    /// <summary>Holds a part back until a time.</summary>
    public void Hold(ModelPart part, double until) => _held.Enqueue(part, until);

    /// <summary>Takes the next part that is free at a time.</summary>
    public bool TryTake(double now, out ModelPart part)
    {
        while (_held.TryPeek(out var held, out var at) && at <= now)
        {
            _held.Dequeue();
            _ready.Enqueue(held);
        }
        return _ready.TryDequeue(out part);
    }
}
