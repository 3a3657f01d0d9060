using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Makes the steps of folders that may go in a batch.</summary>
internal static class BatchSteps
{
    /// <summary>Refuses what contradicts a batch that must be.</summary>
    public static void Check(TransferSettings transfer, IEnumerable<TransferUrl> urls)
    {
        if (transfer.Batch != BatchMode.Always) return;
        if (urls.FirstOrDefault(url => !url.IsSftp) is { } other)
            throw new UsageException($"--batch on needs a server that runs commands, which is one of sftp:, and not {other.Redacted}.");
        var contradiction = transfer switch
        {
            { DryRun: true } => "--dry-run",
            { Publish: PublishMode.Direct } => "--publish direct",
            { TemporaryFolder: not null } => "--temp-dir",
            { BackupFolder: not null } => "--backup-dir",
            { RemoveSource: true } => "--remove-source",
            { MoveSourceTo: not null } => "--move-source-to",
            { FlushToDisk: true } => "--fsync",
            { Newest: not null } => "--newest",
            { NameMapping: not NameMapping.None } => "--map-names",
            { Verify: VerificationMode.Hash } => "--verify hash",
            _ => null,
        };
        if (contradiction is not null) throw new UsageException($"--batch on and {contradiction} contradict each other.");
    }

    public static TransferStep Create(
        string name, TransferClient client, string prefix,
        Func<StepRun, TransferJob> start) =>
        TransferStep.Job(name, [client], prefix, start, (items, result) =>
        {
            // Where no server runs commands there is nothing to say.
            if (client is IRemoteCommands)
            {
                items.Batch = ((BatchDirectoryResult)result).Way switch
                {
                    BatchWay.Tar => "tar",
                    BatchWay.Transfer => "transfer",
                    _ =>
                    "off"
                };
            }
        });
}
