using System.CommandLine;
using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>The options of what goes through a spool.</summary>
internal sealed class SpoolOptions
{
    public Option<string[]> To { get; } =
        CliOptions.Texts("--to", "NAME[=KEY]",
            "A recipient, with the public key or a file that holds the key, except with a shared key or a passphrase. May be repeated.");

    public Option<string> KeyFile { get; } = CliOptions.Text("--key-file", "FILE",
        "Your private key, or the key that you share; transfer key makes both.");

    public Option<bool> Passphrase { get; } =
        CliOptions.Flag("--passphrase",
            "Share a passphrase instead of a key: the value of TRANSFER_PASSPHRASE, or typed. Of key: encrypt the new key file with the "
            + "passphrase.");

    public Option<string> PassphraseFile { get; } =
        CliOptions.Text("--passphrase-file", "FILE",
            "A file with that passphrase, or the one of an encrypted --key-file, in the first line.");

    public Option<string> Deadline { get; } =
        CliOptions.Text("--deadline", "AGE|never",
            "The time for recipients to fetch a job: 12h, 30d, 2w. Default: 7d. Your next send deletes older jobs.");

    public Option<bool> Delta { get; } =
        CliOptions.Flag("--delta",
            "Send only the changes of files that all recipients have fetched: for recipients that leave fetched files in place, each in "
            + "a separate folder.");

    public Option<string> As { get; } = CliOptions.Text("--as", "NAME", "Your name, as the sender gave it.");

    public Option<string[]> From { get; } =
        CliOptions.Texts("--from", "KEY",
            "The public key of a trusted sender, or a file that holds the key; not with a shared key or a passphrase. May be repeated.");

    public Option<bool> Watch { get; } = CliOptions.Flag("--watch", "Go on fetching new jobs until interrupted.");

    public Option<bool> Shared { get; } = CliOptions.Flag("--shared",
        "Make a key that sender and recipients share, instead of a private key.");

    /// <summary>What of send is about spools only.</summary>
    public IEnumerable<Option> Sending => [To, KeyFile, Passphrase, PassphraseFile, Deadline, Delta];

    /// <summary>Reads the deadline; null: there is none.</summary>
    public TimeSpan? ReadDeadline(string? text)
    {
        if (text is null) return TimeSpan.FromDays(7);
        if (text == "never") return null;
        double? unit = text.Length == 0
            ? null : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'w' => 604_800, _ => null };
        return unit is { } seconds
            && double.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
                out var number)
            && number * seconds is >= 1 and <= 1e10
            ? TimeSpan.FromSeconds(number * seconds)
            : throw new UsageException($"{Deadline.Name} wants an age such as 12h or 30d, a second at least, or never.");
    }
}
