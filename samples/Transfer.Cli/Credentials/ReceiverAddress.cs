using Transfer.Batch;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Finds a receiver's address with its token, which is, in this order: the URL's, what --token-file holds, the value of TRANSFER_TOKEN,
/// what is typed at the terminal.
/// No message repeats any of it.
/// </summary>
internal static class ReceiverAddress
{
    public const string Variable = "TRANSFER_TOKEN";

    private const int MaxFile = 64 * 1024;

    /// <summary>Resolves; asks at the terminal only when nothing else is left.</summary>
    public static BatchAddress Resolve(CommandHost host, string url, string? tokenFile, CancellationToken ct)
    {
        try
        {
            if (url.Contains('#', StringComparison.Ordinal))
            {
                return tokenFile is null
                    ? BatchAddress.Parse(url) : throw new UsageException("--token-file contradicts the token in the URL.");
            }
            return BatchAddress.Parse(url, BatchToken.Parse(FindToken(host, tokenFile, ct)));
        }
        catch (FormatException e)
        {
            throw new UsageException(e.Message);
        }
    }

    private static string FindToken(CommandHost host, string? file, CancellationToken ct)
    {
        var text = file is not null ? Read(file)
            : host.Environment(Variable) is { Length: > 0 } variable ? variable
            : host.ReadSecret?.Invoke("Token of the receiver: ", ct)
            ?? throw new UsageException(
                $"The receiver's token is missing: it is behind the # of its address, or in --token-file or {Variable}.");
        // The whole address serves too.
        return text[(text.LastIndexOf('#') + 1)..];
    }

    private static string Read(string file)
    {
        if (!File.Exists(file)) throw new UsageException($"--token-file: there is no file {file}.");
        return new FileInfo(file).Length <= MaxFile
            ? File.ReadAllText(file) : throw new UsageException($"--token-file: {file} is too long to be a token.");
    }
}
