namespace Transfer.Ftp.Listing;

/// <summary>
/// Parses the lines of one LIST reply. The format of the last understood line is tried first. Other state only spans lines: a VMS name
/// whose columns follow on the next line, the name before (VMS lists older versions behind the latest), whether z/OS members are
/// listed, and whether Take Command made the lines.
/// </summary>
internal sealed class ListParser
{
    private ListFormat _format;
    private string? _pendingName;
    private string? _previousName;
    private bool _first = true;
    private bool _isTakeCommand;

    /// <summary>The format of the last line that was understood.</summary>
    public ListFormat Format => _format;

    /// <summary>The number of lines that began a record without an end.</summary>
    public int Incomplete { get; private set; }

    /// <summary>
    /// Parses one line. False: no format fits. True without an entry: a total, a header, an empty line, half of a record.
    /// </summary>
    public bool TryParse(ReadOnlySpan<char> line, ListingContext context, string directory, out RemoteEntry? entry)
    {
        var understood = TryParse(line, context, out var listed);
        entry = listed.Name.IsEmpty ? null : listed.ToEntry(RemotePath.Combine(directory, listed.Name.ToString()));
        return understood;
    }

    /// <summary>Parses one line into spans of that line. An empty name stands for no entry.</summary>
    public bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        var first = _first;
        _first = false;
        if (_pendingName is { } pending)
        {
            _pendingName = null;
            var joined = string.Concat(pending, " ", line);
            if (VmsFormat.TryParse(joined, context, out listed))
            {
                SkipOlderVersion(ref listed);
                return true;
            }

            Incomplete++;
        }

        if (_format != ListFormat.Unknown && TryParse(_format, line, context, out listed)) return true;
        listed = default;
        if (line.IsWhiteSpace() || (_format is ListFormat.VShell or ListFormat.Os9 && IsRule(line))) return true;
        if (_format is ListFormat.Unknown or ListFormat.Unix && UnixFormat.IsTotal(line, first)) return true;
        if (_format is ListFormat.Unknown or ListFormat.Vms && VmsFormat.IsNameOnly(line))
        {
            _pendingName = line.ToString();
            return true;
        }

        return TryDetect(line, context, out listed);
    }

    /// <summary>Ends the listing; a name still without columns is incomplete.</summary>
    public void Complete()
    {
        if (_pendingName is not null) Incomplete++;
        _pendingName = null;
    }

    /// <summary>Whether a line only underlines a header.</summary>
    private static bool IsRule(ReadOnlySpan<char> line) =>
        line.Length > 3 && !line.ContainsAnyExcept(" -=\t") && line.ContainsAny('-', '=');

    private bool TryDetect(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        foreach (var format in Enum.GetValues<ListFormat>())
        {
            if (format == _format || !TryParse(format, line, context, out listed)) continue;
            _format = format;
            return true;
        }

        listed = default;
        return false;
    }

    private bool TryParse(ListFormat format, ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        switch (format)
        {
            case ListFormat.Unix: return UnixFormat.TryParse(line, context, out listed);
            case ListFormat.Windows: return WindowsFormat.TryParse(line, context, ref _isTakeCommand, out listed);
            case ListFormat.Eplf: return EplfFormat.TryParse(line, out listed);
            case ListFormat.NetWare: return NetWareFormat.TryParse(line, context, out listed);
            case ListFormat.Os2: return Os2Format.TryParse(line, context, out listed);
            case ListFormat.IbmI: return IbmIFormat.TryParse(line, context, out listed);
            case ListFormat.Mvs: return MvsFormat.TryParse(line, out listed);
            case ListFormat.Jes: return JesFormat.TryParse(line, out listed);
            case ListFormat.NonStop: return NonStopFormat.TryParse(line, context, out listed);
            case ListFormat.ZVm: return ZVmFormat.TryParse(line, context, out listed);
            case ListFormat.VShell: return VShellFormat.TryParse(line, context, out listed);
            case ListFormat.Os9: return Os9Format.TryParse(line, context, out listed);
            case ListFormat.Router: return RouterFormat.TryParse(line, context, out listed);
            case ListFormat.NumericUnix: return NumericUnixFormat.TryParse(line, out listed);
            case ListFormat.MvsMembers:
                // Bare names are understood only behind a line that identified them as members.
                return MvsMemberFormat.TryParse(line, context, out listed)
                    || (_format == ListFormat.MvsMembers && MvsMemberFormat.TryParseBare(line, out listed));
            case ListFormat.Vms:
                if (!VmsFormat.TryParse(line, context, out listed)) return false;
                SkipOlderVersion(ref listed);
                return true;
            default:
                listed = default;
                return false;
        }
    }

    /// <summary>Skips older versions of a file, which follow the latest: a name without a version means the latest.</summary>
    private void SkipOlderVersion(ref ListedEntry listed)
    {
        _format = ListFormat.Vms;
        if (listed.Name.IsEmpty) return;
        if (_previousName is not null && listed.Type == RemoteEntryType.File && listed.Name.SequenceEqual(_previousName)) listed = default;
        else _previousName = listed.Name.ToString();
    }
}
