namespace Transfer.Testing.Connections;

/// <summary>The latest commands of all sessions.</summary>
internal sealed class CommandLog
{
    private readonly Lock _gate = new();
    private readonly Queue<TestCommand> _commands = [];
    private readonly int _kept;

    public CommandLog(int kept) => _kept = kept;

    public void Add(TestCommand command)
    {
        lock (_gate)
        {
            _commands.Enqueue(command);
            if (_commands.Count > _kept) _commands.Dequeue();
        }
    }

    public IReadOnlyList<TestCommand> Snapshot()
    {
        lock (_gate) return [.. _commands];
    }
}
