using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>Says in a dry run, before the deletions themselves, how much would be deleted.</summary>
internal sealed class DeletionNote(Invocation invocation) : IProgress<DeletionSummary>
{
    public void Report(DeletionSummary value)
    {
        if (!invocation.Transfer.DryRun) return;
        var folders = value.Directories == 1 ? "1 folder" : $"{value.Directories} folders";
        var files = $"{Quantity.Files(value.Files)} ({Quantity.Bytes(value.Bytes)})";
        invocation.Messages.Info(
            $"to delete: {files} and {folders}, of {value.Present} items at the target{(value.IsRefused ? ": too many" : string.Empty)}");
    }
}
