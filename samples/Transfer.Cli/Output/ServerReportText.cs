using System.Globalization;
using System.Text;

namespace Transfer.Cli.Output;

/// <summary>A server's report as lines: a name, then the value.</summary>
internal static class ServerReportText
{
    private const int Width = 24;

    public static string Of(ServerReport report)
    {
        var text = new StringBuilder();
        Line("server", report.Server);
        foreach (var fact in report.Facts) Line(fact.Name, fact.Value);
        Line("round trip", Time(report.RoundTrip));
        Line("opening a session", Time(report.OpeningTime));
        Line("most sessions", report.MostSessions?.ToString(CultureInfo.InvariantCulture));
        foreach (var extension in report.Extensions) Line("extension", extension);
        foreach (var ability in report.Abilities) Line(ability.Name, Way(ability));
        return text.ToString();

        void Line(string name, string? value)
        {
            if (value is null) return;
            // A greeting has several lines.
            foreach (var line in value.Split('\n'))
                text.Append(name.PadRight(Width)).Append(PrintableText.Of(line.TrimEnd('\r'))).Append('\n');
        }
    }

    private static string Way(ServerAbility ability)
    {
        var notes = new List<string>();
        if (ability.IsForced) notes.Add("forced");
        else if (ability.IsFallBack) notes.Add("not the fastest way");
        if (ability.IsRemembered) notes.Add("remembered");
        return notes.Count == 0 ? ability.Way : $"{ability.Way} ({string.Join(", ", notes)})";
    }

    private static string? Time(TimeSpan? time) =>
        time is { } span ? $"{span.TotalMilliseconds.ToString("0.0", CultureInfo.InvariantCulture)} ms" : null;
}
