using Transfer.Cli.Output;
using Transfer.Cli.Urls;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Asks at the terminal whether the key of an unknown host is the right one, as ssh does; without a terminal names the options that answer.
/// </summary>
/// <param name="host">The terminal.</param>
/// <param name="messages">Where questions are asked.</param>
/// <param name="arguments">The options of the log-in.</param>
/// <param name="url">The server; another host is one to go through.</param>
internal sealed class HostKeyAnswers(CommandHost host, Messages messages, LoginArguments arguments, TransferUrl url)
{
    private const int MostTries = 3;

    /// <exception cref="TransferException"><see cref="TransferError.HostKey"/>: there is no terminal.</exception>
    public async ValueTask<bool> DecideAsync(SshHostKey key, CancellationToken ct)
    {
        if (host.ReadShown is not { } read)
        {
            throw new TransferException(
                TransferError.HostKey,
                $"The host key of {key.Host}, {key.Type} {key.Fingerprint}, is not known. If it is the right one, {Advice(key)}");
        }

        var question = $"The host key of {key.Host} is not known: {key.Type}, {key.Bits} bits, {key.Fingerprint}.\n"
            + "Trust and store it (yes/no/fingerprint)? ";
        for (var tried = 0; tried < MostTries; tried++)
        {
            var answer = (await messages.AskAsync(() => read(question, ct), ct)).Trim();
            if (answer.Equals("yes", StringComparison.OrdinalIgnoreCase) || answer == key.Fingerprint) return true;
            if (answer.Equals("no", StringComparison.OrdinalIgnoreCase)) return false;
            question = "Type yes, no or the fingerprint: ";
        }

        return false;
    }

    // Pins are for the server alone, and exclude --accept-new-host-key.
    private string Advice(SshHostKey key)
    {
        var line = $"this line among the known hosts trusts it: {key.KnownHostsLine}";
        if (arguments.Pins.Count > 0) return line;
        var name = url.Port is null or 22 ? url.Host : $"[{url.Host}]:{url.Port}";
        var other = name.Equals(key.Host, StringComparison.OrdinalIgnoreCase)
            ? $"{arguments.Prefix}pin {key.Fingerprint} trusts it and no other." : line;
        return $"--accept-new-host-key stores it, and {other}";
    }
}
