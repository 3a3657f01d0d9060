namespace Transfer.Cli.Reference;

/// <summary>Explains a verb, or lists all: --help as a verb.</summary>
internal sealed class HelpVerb(Func<IReadOnlyList<Verb>> verbs)
    : Verb("help", "[VERB]", "Explain a verb and its options, or list all verbs.")
{
    public override IReadOnlyList<string> Examples => ["help", "help sync"];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Word;

    public override bool IsConfigured => false;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count > 1) throw new UsageException("help wants one verb.");
        var named = invocation.Paths is [var name]
            ? verbs().FirstOrDefault(verb => verb.Name == name) ?? throw new UsageException(NearMiss.OfVerb(name, verbs())) : null;
        await HelpText.WriteAsync(invocation.Host.Output, named, verbs(), invocation.Options, ct);
        return ExitCode.Done;
    }
}
