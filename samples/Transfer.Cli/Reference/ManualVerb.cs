using System.Text;

namespace Transfer.Cli.Reference;

/// <summary>Prints the manual page, for packages to install.</summary>
internal sealed class ManualVerb(Func<IReadOnlyList<Verb>> verbs, string version) : Verb("manual", string.Empty,
    "Print the manual page, for man(1).")
{
    public override IReadOnlyList<string> Examples => ["transfer manual | man -l -"];

    public override bool IsForScripts => false;

    public override bool IsConfigured => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count > 0) throw new UsageException("manual wants no arguments.");
        await invocation.Host.Output.WriteAsync(
            Encoding.UTF8.GetBytes(ManualPage.Write(VerbEntry.All(verbs(), invocation.Options), version)), ct);
        return ExitCode.Done;
    }
}
