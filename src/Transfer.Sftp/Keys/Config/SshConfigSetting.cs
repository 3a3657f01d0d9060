namespace Transfer.Sftp.Keys.Config;

/// <summary>One setting and the Host and Match lines under which it stands: its own block's, and that of every Include on the way to it.</summary>
internal sealed record SshConfigSetting(IReadOnlyList<SshConfigLine> Conditions, SshConfigLine Line)
{
    /// <summary>True when the setting is the host's. Of Match only <c>all</c> is understood; other blocks are nobody's.</summary>
    public bool AppliesTo(string alias) => Conditions.All(condition => condition.IsMatch
        ? condition.IsMatchAll
        : HostPatterns.Match(condition.Arguments, alias));
}
