using Transfer.Cli.Commands;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Finds a passphrase, which is, in this order: the first line of --passphrase-file, the value of TRANSFER_PASSPHRASE, what is typed at the
/// terminal. No message repeats anything of it.
/// </summary>
internal sealed class SpoolPassphrase(Invocation invocation)
{
    public const string Variable = "TRANSFER_PASSPHRASE";

    private readonly string? _file = invocation.Value(invocation.Options.Spool.PassphraseFile);

    /// <summary>The option that says which file holds it; null: it was not given.</summary>
    public string? FileOption => _file is null ? null : invocation.Options.Spool.PassphraseFile.Name;

    /// <summary>Finds it; asks at the terminal only when nothing else is left.</summary>
    /// <param name="of">What it is of.</param>
    /// <param name="isNew">It is asked for twice: with one that was mistyped nobody could open anything.</param>
    /// <param name="ct">Cancels the question.</param>
    public async ValueTask<string> FindAsync(string of, bool isNew, CancellationToken ct)
    {
        if (_file is not null) return SecretFile.ReadLine(_file, FileOption!);
        if (invocation.Host.Environment(Variable) is { Length: > 0 } variable) return variable;
        if (invocation.Host.ReadSecret is not { } read)
        {
            throw new UsageException(
                $"There is no terminal to type the passphrase of {of} at: give {invocation.Options.Spool.PassphraseFile.Name}, or set "
                + $"{Variable}.");
        }

        var typed = await invocation.Messages.AskAsync(() => Ask(read, of, isNew, ct), ct);
        return typed.Length > 0 ? typed : throw new UsageException("The passphrase is empty.");
    }

    private static string Ask(Func<string, CancellationToken, string> read, string of, bool isNew, CancellationToken ct)
    {
        var typed = read($"Passphrase of {PrintableText.Of(of)}: ", ct);
        return !isNew || read("Once more: ", ct) == typed ? typed : throw new UsageException("The two passphrases are not the same.");
    }
}
