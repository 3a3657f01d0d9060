namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// A list of algorithms in ssh_config(5): names with commas between, which may be patterns; <c>+</c> in front adds to the default list, <c>-</c> takes away from it, <c>^</c> puts in front of it.
/// Names that are not built here count for nothing: what OpenSSH would use of them is not offered.
/// </summary>
internal static class AlgorithmList
{
    /// <summary>What is left of the list of ours, in the order to offer; perhaps nothing.</summary>
    public static IReadOnlyList<string> Apply(string list, IReadOnlyList<string> ours)
    {
        var form = list.Length > 0 && list[0] is '+' or '-' or '^' ? list[0] : '=';
        var patterns = (form == '=' ? list : list[1..]).Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var named = patterns.SelectMany(pattern => ours.Where(name => HostPatterns.Match(pattern, name))).Distinct().ToList();
        return form switch
        {
            '+' => ours,
            '-' => [.. ours.Except(named)],
            '^' => [.. named, .. ours.Except(named)],
            _ => named,
        };
    }
}
