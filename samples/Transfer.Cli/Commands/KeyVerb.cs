using System.CommandLine;
using System.Text;
using Transfer.Batch;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Makes key files, and shows what of them is public.</summary>
internal sealed class KeyVerb() : Verb("key", "[OPTIONS] FILE", "Make a key for send --to and fetch, or show the public half of one.")
{
    public override string Details => """
        Makes a private key in the file, readable by you alone (on Windows: as the folder allows), and prints the
        public half, for the other parties.
        Of an existing file the public half is printed. With --shared the key is one that all parties need: each
        holder can send, read, and confirm for the rest. With --passphrase a new private key is encrypted: send and
        fetch prompt for the passphrase, or read --passphrase-file or TRANSFER_PASSPHRASE.
        """;

    public override IReadOnlyList<string> Examples =>
        ["transfer key ann.key > ann.pub", "key --passphrase ann.key", "key --shared team.key"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Key", [options.Spool.Shared, options.Spool.Passphrase, options.Spool.PassphraseFile])];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Local;

    public override bool IsForScripts => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 1 || invocation.Paths[0].Length == 0) throw new UsageException("key wants one file.");
        var own = invocation.Options.Spool;
        var (file, isShared) = (invocation.Paths[0], invocation.Flag(own.Shared));
        var isThere = File.Exists(file);
        if (isThere && invocation.Given([own.Shared, own.Passphrase]) is not null)
            throw new UsageException($"{file} is there already, and is left as it is.");
        var isEncrypted = !isThere && invocation.Given([own.Passphrase, own.PassphraseFile]) is not null;
        if (isEncrypted && isShared)
            throw new UsageException("The file of a shared key can't be encrypted; send and fetch take a passphrase instead of one.");
        var passphrase = invocation.Passphrase;
        using var key = isThere ? await new SpoolKeyFile(passphrase).ReadAsync(file, ct) : isShared
            ? SpoolKey.CreateShared() : SpoolKey.Create();
        if (!isThere)
        {
            await SpoolKeyFile.WriteAsync(file, isEncrypted ? key.ToText(await passphrase.FindAsync(file, isNew: true, ct)) : key.ToText(),
                ct);
        }

        if (key.Public is { } known) await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(known + "\n"), ct);
        else invocation.Messages.Info($"{file} holds a shared key: give it to the others by a way that nobody else can read.");
        return ExitCode.Done;
    }
}
