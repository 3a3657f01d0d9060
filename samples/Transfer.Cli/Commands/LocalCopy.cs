using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Copy with both sides local: the same semantics as everywhere, a temporary name and then a rename.</summary>
internal static class LocalCopy
{
    public static async Task<int> RunAsync(Invocation invocation, string from, string to, CancellationToken ct)
    {
        var transfer = invocation.Transfer;
        if (invocation.Given(invocation.Options.Connection) is { } option) throw new UsageException($"{option} is for servers, and both sides are local.");
        var intoDirectory = Path.EndsInDirectorySeparator(to) || Directory.Exists(to);
        var isDirectory = Directory.Exists(from);
        var (sourceRoot, sourcePath) = Split(from);
        var (targetRoot, targetPath) = Split(to);
        await using var source = new LocalTransferClient(Endpoint(sourceRoot), new LocalTransferOptions { FollowLinks = true });
        await using var destination = new LocalTransferClient(Endpoint(targetRoot), new LocalTransferOptions { FollowLinks = true });
        var step = CopySteps.Create(source, isDirectory ? sourcePath.TrimEnd('/') + "/" : sourcePath, from, destination, targetPath, intoDirectory, transfer);
        using var runner = new TransferRunner(invocation, parallel: 1);
        return await runner.RunAsync("Copying", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }

    /// <summary>The volume's root and the path below it, in URL form.</summary>
    private static (string Root, string Path) Split(string path)
    {
        var full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        var root = Path.GetPathRoot(full)!;
        return (root, "/" + full[root.Length..].Replace(Path.DirectorySeparatorChar, '/'));
    }

    private static Uri Endpoint(string root) =>
        new("file:///" + string.Join('/', root.Replace(Path.DirectorySeparatorChar, '/').Trim('/').Split('/').Select(Encode)) + (root.Length > 1 ? "/" : string.Empty));

    // A drive's colon stays what it is.
    private static string Encode(string part) => part.EndsWith(':') ? part : PercentEncoding.Encode(part);
}
