using System.CommandLine;
using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>The options of what goes through a spool.</summary>
internal sealed class SpoolOptions
{
    public Option<string[]> To { get; } =
        CliOptions.Texts("--to", "NAME[=KEY]", "Who is to fetch it, with his public key or a file that holds it, unless you share a key or a passphrase. May be repeated.");

    public Option<string> KeyFile { get; } = CliOptions.Text("--key-file", "FILE", "Your private key, or the key that you share; transfer key makes both.");

    public Option<bool> Passphrase { get; } =
        CliOptions.Flag("--passphrase", "Share a passphrase instead of a key: the value of TRANSFER_PASSPHRASE, or what is typed. Of key: encrypt the new key file with it.");

    public Option<string> PassphraseFile { get; } =
        CliOptions.Text("--passphrase-file", "FILE", "A file whose first line is that passphrase; or the one of an encrypted --key-file.");

    public Option<string> Deadline { get; } =
        CliOptions.Text("--deadline", "AGE|never", "How long it is kept for who has not fetched it: 12h, 30d, 2w. Default: 7d. Your next send deletes what is older.");

    public Option<bool> Delta { get; } =
        CliOptions.Flag("--delta", "Send only what has changed of files that all have fetched: for those who leave them where they were fetched to, each in a folder of his own.");

    public Option<string> As { get; } = CliOptions.Text("--as", "NAME", "Who you are, as the sender calls you.");

    public Option<string[]> From { get; } =
        CliOptions.Texts("--from", "KEY", "The public key of a sender whose jobs are taken, or a file that holds it; not with a shared key or a passphrase. May be repeated.");

    public Option<bool> Watch { get; } = CliOptions.Flag("--watch", "Go on fetching what comes until it is interrupted.");

    public Option<bool> Shared { get; } = CliOptions.Flag("--shared", "Make a key that sender and recipients share, instead of a private key.");

    /// <summary>What of send is about spools only.</summary>
    public IEnumerable<Option> Sending => [To, KeyFile, Passphrase, PassphraseFile, Deadline, Delta];

    /// <summary>Reads the deadline; null: there is none.</summary>
    public TimeSpan? ReadDeadline(string? text)
    {
        if (text is null) return TimeSpan.FromDays(7);
        if (text == "never") return null;
        double? unit = text.Length == 0 ? null : text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'w' => 604_800, _ => null };
        return unit is { } seconds && double.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            && number * seconds is >= 1 and <= 1e10
            ? TimeSpan.FromSeconds(number * seconds)
            : throw new UsageException($"{Deadline.Name} wants an age such as 12h or 30d, a second at least, or never.");
    }
}
