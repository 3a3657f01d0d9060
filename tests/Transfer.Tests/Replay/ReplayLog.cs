using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Transfer.Tests.Replay;

/// <summary>
/// Every command that a server got and every result that a caller got, with the clock's time. The random names of runs stand there by
/// their number.
/// </summary>
internal sealed partial class ReplayLog(VirtualTime time)
{
    private readonly StringBuilder _text = new();
    private readonly Dictionary<string, int> _runs = [];

    public string Text => _text.ToString();

    public void Add(string line)
    {
        var named = RunName().Replace(line, match => $".transfer-{NumberOf(match.Groups[1].Value)}-");
        _text.Append(CultureInfo.InvariantCulture, $"{time.Now.TotalMilliseconds:0.000} {named}\n");
    }

    private string NumberOf(string run)
    {
        if (!_runs.TryGetValue(run, out var number)) _runs[run] = number = _runs.Count + 1;
        return "run" + number.ToString(CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"\.transfer-([0-9a-f]{16})-")]
    private static partial Regex RunName();
}
