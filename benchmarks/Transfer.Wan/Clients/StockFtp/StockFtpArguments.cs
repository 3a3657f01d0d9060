using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Transfer.Wan.Clients.StockFtp;

/// <summary>The command line: <c>[OPTIONS] URL LOCAL...</c>, options anywhere.</summary>
internal sealed record StockFtpArguments(Uri Folder, IReadOnlyList<string> Locals, StockFtpOptions Options)
{
    public const string Usage =
        "usage: client stock-ftp [--resolver-delay MS] [--no-reverse-lookup] [--send-buffer BYTES] [--overlap-commands] "
        + "[--keep-session] ftp://USER@HOST[:PORT]/FOLDER/ LOCAL...";

    private const int LongestDelay = 600_000;
    private const int LargestBuffer = 1 << 30;

    public static bool TryParse(IReadOnlyList<string> args, [NotNullWhen(true)] out StockFtpArguments? parsed,
        [NotNullWhen(false)] out string? error)
    {
        parsed = null;
        error = null;
        var options = new StockFtpOptions();
        var words = new List<string>();
        for (var i = 0; i < args.Count && error is null; i++)
        {
            options = args[i] switch
            {
                "--no-reverse-lookup" => options with { ReverseLookup = false },
                "--overlap-commands" => options with { OverlapCommands = true },
                "--keep-session" => options with { KeepSession = true },
                "--resolver-delay" =>
                    options with { ResolverDelay = TimeSpan.FromMilliseconds(Number(args, ++i, LongestDelay, ref error)) },
                "--send-buffer" => options with { SendBuffer = Number(args, ++i, LargestBuffer, ref error) },
                ['-', '-', ..] => Unknown(args[i], options, ref error),
                var word => Keep(word, words, options),
            };
        }

        if (error is not null) return false;
        if (words.Count < 2) error = "a URL and at least one file are needed";
        else if (!Uri.TryCreate(words[0], UriKind.Absolute, out var url) || url.Scheme != Uri.UriSchemeFtp)
            error = $"not an ftp: URL: {words[0]}";
        else if (url.UserInfo.Contains(':', StringComparison.Ordinal))
            error = "the password is taken from TRANSFER_PASSWORD, not from the URL";
        else parsed = new StockFtpArguments(url, words[1..], options);
        return parsed is not null;
    }

    private static int Number(IReadOnlyList<string> args, int index, int limit, ref string? error)
    {
        if (index < args.Count
            && int.TryParse(args[index], NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= limit)
        {
            return number;
        }

        error = $"{args[index - 1]} needs a number of at most {limit}";
        return 0;
    }

    private static StockFtpOptions Unknown(string word, StockFtpOptions options, ref string? error)
    {
        error = $"unknown option {word}";
        return options;
    }

    private static StockFtpOptions Keep(string word, List<string> words, StockFtpOptions options)
    {
        words.Add(word);
        return options;
    }
}
