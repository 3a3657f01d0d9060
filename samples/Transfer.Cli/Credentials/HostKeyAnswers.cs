using Transfer.Cli.Output;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Asks at the terminal whether the key of an unknown host is the right one, as ssh does; without a terminal names the options that answer.
/// </summary>
internal sealed class HostKeyAnswers(CommandHost host, Messages messages, string prefix)
{
    private const int MostTries = 3;

    /// <exception cref="TransferException"><see cref="TransferError.HostKey"/>: there is no terminal.</exception>
    public async ValueTask<bool> DecideAsync(SshHostKey key, CancellationToken ct)
    {
        if (host.ReadShown is not { } read)
        {
            throw new TransferException(
                TransferError.HostKey,
                $"The host key of {key.Host}, {key.Type} {key.Fingerprint}, is not known. If it is the right one, --accept-new-host-key "
                + $"stores it, and {prefix}pin {key.Fingerprint} trusts it and no other.");
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
}
