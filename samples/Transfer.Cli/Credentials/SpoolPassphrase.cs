using Transfer.Cli.Output;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Finds a passphrase, which is, in this order: the first line of --passphrase-file, the value of TRANSFER_PASSPHRASE, what is typed at the
/// terminal. No message repeats anything of it.
/// </summary>
/// <param name="file">The file of the option; null: the option was not given.</param>
/// <param name="option">The name of the option.</param>
/// <param name="host">Environment and terminal.</param>
/// <param name="messages">Where the question is asked.</param>
internal sealed class SpoolPassphrase(string? file, string option, CommandHost host, Messages messages)
{
    public const string Variable = "TRANSFER_PASSPHRASE";

    /// <summary>The option that names the file; null: the option was not given.</summary>
    public string? FileOption => file is null ? null : option;

    /// <summary>Finds it; asks at the terminal only when nothing else is left.</summary>
    /// <param name="of">What it is of.</param>
    /// <param name="isNew">It is asked for twice: with one that was mistyped nobody could open anything.</param>
    /// <param name="ct">Cancels the question.</param>
    public async ValueTask<string> FindAsync(string of, bool isNew, CancellationToken ct)
    {
        if (file is not null) return SecretFile.ReadLine(file, option);
        if (host.Environment(Variable) is { Length: > 0 } variable) return variable;
        if (host.ReadSecret is not { } read)
        {
            throw new UsageException(
                $"There is no terminal to type the passphrase of {of} at: give {option}, or set "
                + $"{Variable}.");
        }

        var typed = await messages.AskAsync(() => Ask(read, of, isNew, ct), ct);
        return typed.Length > 0 ? typed : throw new UsageException("The passphrase is empty.");
    }

    private static string Ask(Func<string, CancellationToken, string> read, string of, bool isNew, CancellationToken ct)
    {
        var typed = read($"Passphrase of {PrintableText.Of(of)}: ", ct);
        return !isNew || read("Once more: ", ct) == typed ? typed : throw new UsageException("The two passphrases are not the same.");
    }
}
