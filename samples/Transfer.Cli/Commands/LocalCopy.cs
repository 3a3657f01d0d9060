using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Copy with both sides local: the same semantics as everywhere, a temporary name and then a rename.</summary>
internal static class LocalCopy
{
    public static async Task<int> RunAsync(Invocation invocation, string from, string to, CancellationToken ct)
    {
        var transfer = invocation.Transfer;
        CopySteps.CheckLocal(transfer);
        if (invocation.Given(invocation.Options.Names) is { } names)
            throw new UsageException($"{names} is for servers, and both sides are local.");
        if (invocation.Given(invocation.Options.Connection) is { } option)
            throw new UsageException($"{option} is for servers, and both sides are local.");
        var intoDirectory = LocalPath.NamesDirectory(to) || LocalPath.IsDirectory(to);
        var isDirectory = LocalPath.IsDirectory(from);
        var (source, sourcePath) = LocalSide.Open(from, invocation.Limit);
        await using var sourceEnd = source;
        var (destination, targetPath) = LocalSide.Open(to, invocation.Limit);
        await using var destinationEnd = destination;
        var journals = new Journals(invocation.Host, invocation.Messages, transfer);
        var step = CopySteps.Create(
            source, isDirectory ? sourcePath.TrimEnd('/') + "/" : sourcePath, from, destination, targetPath, intoDirectory, transfer,
            journals,
            (LocalPath.Full(from), LocalPath.Full(to)));
        using var runner = new TransferRunner(invocation, parallel: 1, grace: transfer.Grace);
        return await runner.RunAsync("Copying", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
