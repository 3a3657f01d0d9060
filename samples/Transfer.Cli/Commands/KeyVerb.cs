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
        Makes a private key in the file, readable by you alone (on Windows: as its folder has it), and prints its
        public half, which the others need.
        Of a file that exists already the public half is printed. With --shared it makes a key that all sides have
        to be given: whoever has it can send, read, and confirm for the others.
        """;

    public override IReadOnlyList<string> Examples => ["transfer key ann.key > ann.pub", "key --shared team.key"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) => [("Key", [options.Spool.Shared])];

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 1 || invocation.Paths[0].Length == 0) throw new UsageException("key wants one file.");
        var (file, isShared) = (invocation.Paths[0], invocation.Flag(invocation.Options.Spool.Shared));
        var isThere = File.Exists(file);
        if (isThere && isShared) throw new UsageException($"{file} is there already, and is left as it is.");
        using var key = isThere ? await new SpoolKeyFile(invocation.Host, invocation.Messages).ReadAsync(file, ct) : isShared ? SpoolKey.CreateShared() : SpoolKey.Create();
        if (!isThere) await SpoolKeyFile.WriteAsync(file, key, ct);
        if (key.Public is { } known) await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(known + "\n"), ct);
        else invocation.Messages.Info($"{file} holds a shared key: give it to the others by a way that nobody else can read.");
        return ExitCode.Done;
    }
}
