using System.Globalization;
using System.Text;

namespace Transfer.Cli.Output;

/// <summary>Prints entries as text: names, or columns as <c>ls -l</c> has them.</summary>
internal static class EntryTable
{
    private const int Chunk = 32 * 1024;

    /// <param name="host">The command's output.</param>
    /// <param name="entries">The entries, in the order of the lines.</param>
    /// <param name="format">The form of a line.</param>
    /// <param name="nameOf">The name to print; null: the entry's.</param>
    /// <param name="ct">Cancels.</param>
    public static async ValueTask WriteAsync(CommandHost host, IReadOnlyList<RemoteEntry> entries, EntryFormat format,
        Func<RemoteEntry, string>? nameOf, CancellationToken ct)
    {
        var details = format.Details;
        var owners = details ? entries.Max(e => (int?)Owner(e).Length) ?? 0 : 0;
        var sizes = details ? entries.Max(e => (int?)Size(e, format).Length) ?? 0 : 0;
        var text = new StringBuilder(Chunk + 1024);
        foreach (var entry in entries)
        {
            if (details) AppendDetails(text, entry, format, (owners, sizes), host.OutputIsTerminal);
            text.Append(Name(nameOf?.Invoke(entry) ?? entry.Name, host.OutputIsTerminal));
            if (details && entry.LinkTarget is { } target) text.Append(" -> ").Append(Name(target, host.OutputIsTerminal));
            text.Append(format.End);
            if (text.Length >= Chunk) await FlushAsync(host.Output, text, ct);
        }

        await FlushAsync(host.Output, text, ct);
    }

    /// <summary>Into a pipe or file the name's own bytes; onto a terminal its printable form.</summary>
    public static string Name(string name, bool terminal) => terminal ? PrintableText.Of(name) : name;

    public static string Permissions(RemoteEntry entry)
    {
        var type = entry.Type switch
        {
            RemoteEntryType.Directory => 'd',
            RemoteEntryType.Link => 'l',
            RemoteEntryType.File => '-',
            _ =>
            '?'
        };
        if (entry.Mode is not { } mode) return type + "?????????";
        return string.Create(10, (type, mode), static (span, state) =>
        {
            const string Letters = "rwxrwxrwx";
            span[0] = state.type;
            for (var i = 0; i < 9; i++) span[i + 1] = ((int)state.mode >> (8 - i) & 1) != 0 ? Letters[i] : '-';
            Special(ref span[3], state.mode.HasFlag(UnixFileMode.SetUser), 's', 'S');
            Special(ref span[6], state.mode.HasFlag(UnixFileMode.SetGroup), 's', 'S');
            Special(ref span[9], state.mode.HasFlag(UnixFileMode.StickyBit), 't', 'T');
        });

        static void Special(ref char bit, bool set, char withExecute, char without)
        {
            if (set) bit = bit == 'x' ? withExecute : without;
        }
    }

    private static void AppendDetails(
        StringBuilder text, RemoteEntry entry, EntryFormat format, (int Owner, int Size) widths, bool terminal)
    {
        text.Append(Permissions(entry)).Append(' ');
        if (widths.Owner > 1) text.Append(Name(Owner(entry), terminal).PadRight(widths.Owner)).Append(' ');
        text.Append(Size(entry, format).PadLeft(widths.Size)).Append(' ');
        var modified = entry.Modified is { } time ? TimeZoneInfo.ConvertTime(time, format.Zone) : (DateTimeOffset?)null;
        text.Append((modified?.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) ?? "-").PadRight(19)).Append(' ');
    }

    private static string Owner(RemoteEntry entry) => entry.Owner ?? "-";

    private static string Size(RemoteEntry entry, EntryFormat format) => entry.Length switch
    {
        null => "-",
        { } bytes when format.IsHuman => Quantity.Bytes(bytes),
        { } bytes => bytes.ToString(CultureInfo.InvariantCulture),
    };

    private static async ValueTask FlushAsync(Stream output, StringBuilder text, CancellationToken ct)
    {
        await output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(text.ToString()), ct);
        text.Clear();
    }
}
