using System.Diagnostics.CodeAnalysis;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>The answer to FEAT (RFC 2389 section 3.2): feature names with their parameters.</summary>
internal sealed class FtpFeatureSet
{
    private readonly Dictionary<string, string> _features = new(StringComparer.OrdinalIgnoreCase);

    private readonly List<string> _lines = [];

    private FtpFeatureSet()
    {
    }

    /// <summary>The features of a server without FEAT.</summary>
    public static FtpFeatureSet None { get; } = new();

    /// <summary>Parses a FEAT reply; any code but 211 means no features.</summary>
    public static FtpFeatureSet Parse(FtpReply reply)
    {
        if (reply.Code != 211 || reply.Lines.Count < 3) return None;
        var set = new FtpFeatureSet();
        // The first and the last line are the reply's frame. Some servers forget the leading space of a feature line.
        foreach (var line in reply.Lines.Skip(1).Take(reply.Lines.Count - 2))
        {
            var feature = line.AsSpan().Trim();
            if (feature.IsEmpty) continue;
            var space = feature.IndexOf(' ');
            var name = (space < 0 ? feature : feature[..space]).ToString();
            var parameter = space < 0 ? string.Empty : feature[(space + 1)..].Trim().ToString();
            set._lines.Add(feature.ToString());
            // AUTH, SITE and the like may come on several lines.
            set._features[name] = set._features.TryGetValue(name, out var before) ? before + ";" + parameter : parameter;
        }
        return set;
    }

    /// <summary>The lines as they came.</summary>
    public IReadOnlyList<string> Lines => _lines;

    public bool Has(string name) => _features.ContainsKey(name);

    public bool TryGet(string name, [NotNullWhen(true)] out string? parameter) => _features.TryGetValue(name, out parameter);

    /// <summary>Whether a feature's parameter list names a value, such as <c>REST STREAM</c> or <c>MODE Z</c>.</summary>
    public bool Has(string name, string value)
    {
        if (!_features.TryGetValue(name, out var parameter)) return false;
        foreach (var range in parameter.AsSpan().SplitAny(';', ' ', ','))
        {
            if (parameter.AsSpan()[range].TrimEnd('*').Equals(value, StringComparison.OrdinalIgnoreCase)) return true;
        }
        return false;
    }
}
