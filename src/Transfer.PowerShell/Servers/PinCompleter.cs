using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>
/// Completes the fingerprints of an SSH host, read from the host within two seconds. To be compared before they are trusted.
/// </summary>
public sealed class PinCompleter : IArgumentCompleter
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <inheritdoc/>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName, string parameterName, string wordToComplete, CommandAst commandAst, IDictionary fakeBoundParameters)
    {
        var word = (wordToComplete ?? string.Empty).Trim('\'', '"');
        var given = fakeBoundParameters["Uri"] ?? fakeBoundParameters["Root"];
        if (!LanguagePrimitives.TryConvertTo<Uri>(given, out var uri) || uri is not { IsAbsoluteUri: true, Scheme: "sftp" }) return [];
        return from key in Read(uri, fakeBoundParameters)
               where key.Fingerprint.StartsWith(word, StringComparison.OrdinalIgnoreCase)
               let shown = $"{key.Type}, {key.Bits} bits, as {uri.Host} shows it just now"
               select new CompletionResult(key.Fingerprint, key.Fingerprint, CompletionResultType.ParameterValue, shown);
    }

    private static IReadOnlyList<TransferHostKey> Read(Uri uri, IDictionary bound)
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            var port = uri.Port > 0 ? uri.Port : (int?)null;
            return Task.Run(() =>
                HostKeyReader.ReadAsync(uri.Host, port, host => Way(host, bound), patience.Token)).GetAwaiter().GetResult();
        }
        catch (Exception e) when (e is TransferException or ArgumentException or OperationCanceledException)
        {
            // Completion cannot report a reason: the command itself will.
            return [];
        }
    }

    private static ClientSettings Way(Uri host, IDictionary bound) => new()
    {
        Uri = host,
        UseSshConfig = LanguagePrimitives.IsTrue(bound["UseSshConfig"]),
        Jump = LanguagePrimitives.TryConvertTo<string[]>(bound["Jump"], out var jump) && jump is not null ? jump : [],
        Proxy = LanguagePrimitives.TryConvertTo<Uri>(bound["Proxy"], out var proxy) ? proxy : null,
        Log = _ => { },
    };
}
