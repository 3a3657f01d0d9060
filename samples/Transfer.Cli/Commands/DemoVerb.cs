using Transfer.Cli.Demo;

namespace Transfer.Cli.Commands;

/// <summary>Shows what it is about, without any server of the user's.</summary>
internal sealed class DemoVerb() : Verb("demo", "", "Show the difference on embedded servers behind a slow link.")
{
    public override string Details => """
        Starts an FTP server and an SFTP server in this process, behind a link with a round trip of 50 ms on which
        each connection has 64 KiB under way at most, as a usual TCP window. Sends 40 small files, sends them once
        more when all are there, and fetches a large file: first like a stock client (one connection, one
        file at a time), then like this one. Compares all contents. Nothing leaves this machine.
        """;

    public override IReadOnlyList<string> Examples => ["demo"];

    public override bool IsForScripts => false;

    public override bool IsConfigured => false;

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count > 0) throw new UsageException("demo takes no arguments.");
        return new DemoRun(invocation).RunAsync(ct);
    }
}
