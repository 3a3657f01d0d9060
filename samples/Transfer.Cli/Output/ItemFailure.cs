namespace Transfer.Cli.Output;

/// <summary>One item that failed, and why. The path is one that may be shown.</summary>
internal sealed record ItemFailure(string Path, Exception Error)
{
    /// <summary>The kind of failure in one word, for programs: <see cref="TransferError"/>'s name in camel case.</summary>
    public string Kind => Error switch
    {
        TransferException e => Name(e.Error),
        FileNotFoundException or DirectoryNotFoundException => Name(TransferError.NotFound),
        UnauthorizedAccessException => Name(TransferError.Denied),
        OperationCanceledException => "interrupted",
        UsageException => "usage",
        _ => "other",
    };

    private static string Name(TransferError error)
    {
        var name = error.ToString();
        return char.ToLowerInvariant(name[0]) + name[1..];
    }
}
