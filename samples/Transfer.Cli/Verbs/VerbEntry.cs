using Transfer.Cli.Options;

namespace Transfer.Cli.Verbs;

/// <summary>A verb as shells and manuals show it: made of what the parser and the help are made of.</summary>
internal sealed record VerbEntry(Verb Verb, IReadOnlyList<(string Heading, IReadOnlyList<OptionEntry> Options)> Groups)
{
    public string Name => Verb.Name;

    /// <summary>All its options once each.</summary>
    public IReadOnlyList<OptionEntry> Options { get; } = [
        .. Groups.SelectMany(group => group.Options).DistinctBy(option => option.Names[^1])];

    /// <summary>The options of all verbs, once each, whose values can be chosen from.</summary>
    public static IEnumerable<OptionEntry> WithChoices(IEnumerable<VerbEntry> verbs) =>
        verbs.SelectMany(verb => verb.Options).DistinctBy(option => option.Names[^1]).Where(option => option.Choices.Count > 0);

    public static IReadOnlyList<VerbEntry> All(IEnumerable<Verb> verbs, CliOptions options) =>
    [
        .. verbs.Select(verb => new VerbEntry(verb,
        [
            .. verb.AllOptions(options)
                .Select(group =>
                    (group.Item1,
                    (IReadOnlyList<OptionEntry>)[.. group.Item2.Select(option => OptionEntry.Of(option, verb.Explain(options, option)))])),
        ])),
    ];
}
