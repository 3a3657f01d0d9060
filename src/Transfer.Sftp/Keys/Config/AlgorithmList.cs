namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// A list of algorithms in ssh_config(5): names with commas between, which may be patterns; a leading <c>+</c> adds to the default list,
/// <c>-</c> removes from the list, <c>^</c> moves names to its front. Names not built in here are ignored: OpenSSH's algorithms for them
/// are not offered.
/// </summary>
internal static class AlgorithmList
{
    /// <summary>Returns the remaining names of the client's list, in the order to offer; perhaps none.</summary>
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
