namespace Transfer.Cli.Commands.Scripts;

/// <summary>The options of a script that each of its verbs gets, unless the line has them: the amount of messages, and the log.</summary>
internal sealed class ScriptGeneral
{
    private readonly List<(string Name, string[] Words)> _options = [];

    public ScriptGeneral(Invocation invocation)
    {
        var options = invocation.Options;
        if (invocation.Quiet) _options.Add((options.Quiet.Name, [options.Quiet.Name]));
        if (invocation.Verbose || invocation.Flag(options.Wire) || invocation.Flag(options.Debug))
            _options.Add((options.Verbose.Name, [options.Verbose.Name]));
        foreach (var option in new[] { options.Log, options.LogFormat })
            if (invocation.Value(option) is { } value) _options.Add((option.Name, [option.Name, value]));
    }

    /// <summary>The words of a line with those options behind its verb.</summary>
    public IReadOnlyList<string> AddTo(IReadOnlyList<string> words) =>
        [words[0], .. _options.Where(option => !words.Contains(option.Name)).SelectMany(option => option.Words), .. words.Skip(1)];
}
