using Transfer.Sessions;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>Standard input of the lines of a script that comes from there itself.</summary>
internal sealed class ScriptInput : SequentialStream
{
    public override bool CanRead => true;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        throw new UsageException("Standard input has the script: a line cannot read content or names from there.");
}
