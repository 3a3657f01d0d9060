using Transfer.Wan.Servers;

namespace Transfer.Wan.Clients;

/// <summary>
/// Our own client that does what the framework's old one does: <c>stock .NET</c>, and the fixes that are switched on in its label.
/// </summary>
internal sealed class StockClient(string label) : OwnProgram(label, "stock-ftp")
{
    public const string Name = "stock .NET";

    // What a resolver takes that asks for names which nobody has: the published figure.
    private const string ResolverDelay = "2000";

    public override IReadOnlyList<Protocol> Protocols => [Protocol.FTP];

    public override ClientCommand Command(ClientJob job)
    {
        if (!job.IsUpload) throw new NotSupportedException("The stock client uploads.");
        var fixes = Label[Name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return Run(job, ["--resolver-delay", ResolverDelay, .. fixes, Url(job), .. job.Names.Select(job.LocalFile)]);
    }
}
