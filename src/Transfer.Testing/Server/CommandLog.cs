namespace Transfer.Testing.Server;

/// <summary>The latest commands of all sessions.</summary>
internal sealed class CommandLog
{
    private readonly Lock _gate = new();
    private readonly Queue<FtpTestCommand> _commands = [];
    private readonly int _kept;

    public CommandLog(int kept) => _kept = kept;

    public void Add(FtpTestCommand command)
    {
        lock (_gate)
        {
            _commands.Enqueue(command);
            if (_commands.Count > _kept) _commands.Dequeue();
        }
    }

    public IReadOnlyList<FtpTestCommand> Snapshot()
    {
        lock (_gate) return [.. _commands];
    }
}
