using Transfer.Cli.Demo;

namespace Transfer.Cli.Commands;

/// <summary>Shows what it is about, without any server of the user's.</summary>
internal sealed class DemoVerb() : Verb("demo", "", "Show the difference on an embedded server behind a slow link.")
{
    public override string Details => """
        Starts an FTP server in this process, behind a link with a round trip of 50 ms. Uploads and downloads
        60 small files and a large one, first as a stock client does it (one session, one command at a time),
        then as this one does, and compares all contents. Nothing leaves this machine.
        """;

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count > 0) throw new UsageException("demo takes no arguments.");
        return new DemoRun(invocation).RunAsync(ct);
    }
}
