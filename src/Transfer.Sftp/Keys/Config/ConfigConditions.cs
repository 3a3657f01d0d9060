namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// Evaluates Host and Match lines (ssh_config(5)): the criteria <c>all</c>, <c>canonical</c>, <c>final</c>, <c>host</c>,
/// <c>originalhost</c>, <c>user</c>, <c>localuser</c> and <c>tagged</c>, each also with <c>!</c>. Further criteria are unknown, above all
/// <c>exec</c>: no program is started.
/// </summary>
/// <param name="alias">The host's name as given.</param>
/// <param name="isFinal">Whether this is the second pass, which <c>Match final</c> requires.</param>
/// <param name="value">Returns the current value of a setting, by the keyword in small letters.</param>
internal sealed class ConfigConditions(string alias, bool isFinal, Func<string, string?> value)
{
    // A line is evaluated when the block begins; settings of the block itself do not change the result.
    private readonly Dictionary<SshConfigLine, ConfigMatch> _seen = new(ReferenceEqualityComparer.Instance);

    /// <summary>True once a line required the second pass.</summary>
    public bool WantsFinalPass { get; private set; }

    /// <summary>Whether all lines apply.</summary>
    public ConfigMatch Evaluate(IReadOnlyList<SshConfigLine> conditions)
    {
        var result = ConfigMatch.Yes;
        foreach (var condition in conditions)
        {
            if (!_seen.TryGetValue(condition, out var one)) _seen.Add(condition, one = Evaluate(condition));
            if (one == ConfigMatch.No) return ConfigMatch.No;
            if (one == ConfigMatch.Unknown) result = ConfigMatch.Unknown;
        }

        return result;
    }

    private ConfigMatch Evaluate(SshConfigLine line)
    {
        // Without a name or a criterion, the settings below would be those of the block above, or of none.
        if (!line.IsMatch) return HostPatterns.Match(line.RequireWords(), alias) ? ConfigMatch.Yes : ConfigMatch.No;
        var criteria = new Queue<string>(line.RequireWords().SelectMany(Divide));
        var result = ConfigMatch.Yes;
        while (criteria.TryDequeue(out var name))
        {
            var negated = name.StartsWith('!');
            var (holds, takesArgument) = Criterion(name.TrimStart('!').ToLowerInvariant(), criteria);
            if (takesArgument && !criteria.TryDequeue(out _))
                throw new TransferException(TransferError.Protocol, $"{line.Place}: {name} without a value.");
            if (holds is null) result = ConfigMatch.Unknown;
            else if (holds == negated) return ConfigMatch.No;
        }

        return result;
    }

    // Splits a criterion and argument, which may be one word with = between.
    private static string[] Divide(string argument) =>
        argument.Split('=', 2) is [var name, _] both
        && name.TrimStart('!').ToLowerInvariant() is "host" or "originalhost" or "user" or "localuser" or "tagged" or "exec"
            or "localnetwork" ? both : [argument];

    private (bool? Holds, bool TakesArgument) Criterion(string name, Queue<string> rest)
    {
        switch (name)
        {
            case "all":
                return (true, false);
            case "canonical" or "final":
                WantsFinalPass |= name == "final";
                return (isFinal, false);
        }

        var patterns = rest.TryPeek(out var next) ? next.Split(',') : [];
        return name switch
        {
            "host" => (HostPatterns.Match(patterns, value("hostname") ?? alias), true),
            "originalhost" => (HostPatterns.Match(patterns, alias), true),
            "user" => (HostPatterns.Match(patterns, value("user") ?? Environment.UserName), true),
            "localuser" => (HostPatterns.Match(patterns, Environment.UserName), true),
            "tagged" => (HostPatterns.Match(patterns, value("tag") ?? string.Empty), true),
            _ => (null, true),
        };
    }
}
