using System.Runtime.CompilerServices;
using FluentFTP;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// Lists one directory: MLSD (RFC 3659 section 7), else LIST after a CWD, which needs no quoting. FluentFTP's own listing takes refusals
/// and lost connections for empty directories; here a listing is complete only with its final reply, and with every line understood.
/// </summary>
internal sealed class FluentLister
{
    // Only the text shows missing entries: Pure-FTPd's "Output truncated to N matches", vsftpd's "failed to open directory".
    private static readonly string[] Doubts = ["truncat", "failed", "incomplete", "not complete", "too many", "out of memory", "cannot",
        "can't", "could not", "denied"];

    private readonly FluentControl _control;
    private readonly ListLine _listLine;

    public FluentLister(FluentControl control)
    {
        _control = control;
        _listLine = new ListLine(control.Client);
        HasMlsd = control.Client.HasFeature(FtpCapability.MLST);
        TakesOptions = control.IsKnown;
    }

    /// <summary>Whether the server has MLSD and MLST.</summary>
    public bool HasMlsd { get; }

    /// <summary>Whether LIST needs <c>-a</c> for names that begin with a dot; other servers take <c>-a</c> for a name.</summary>
    private bool TakesOptions { get; }

    /// <summary>Lists by the server's best command.</summary>
    public IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report, CancellationToken ct) =>
        ListAsync(directory, HasMlsd, report, ct);

    /// <summary>
    /// Returns the permissions and the group of a file, from <c>STAT</c> where MLST is missing (RFC 959 section 4.1.3); null when there
    /// are none.
    /// </summary>
    public async ValueTask<RemoteEntry?> StatAsync(string path, CancellationToken ct)
    {
        // vsftpd takes these for patterns.
        if (path.AsSpan().ContainsAny("*?{[")) return null;
        var reply = await _control.ExecuteAsync(_control.Command("STAT", path), ct).ConfigureAwait(false);
        foreach (var line in reply.IsSuccess ? reply.Lines.Skip(1) : [])
        {
            if (_listLine.Parse(StripPath(line.TrimStart(' '), path), RemotePath.GetParent(path) ?? "/", out _) is not { } entry) continue;
            // For a directory these are the lines of its entries.
            return entry.Name == RemotePath.GetName(path) ? entry : null;
        }
        return null;
    }

    /// <summary>Lists by MLSD or LIST.</summary>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, bool mlsd, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var sent = _control.Expand(directory);
        if (!mlsd) await EnterAsync(directory, ct).ConfigureAwait(false);
        else if (_control.WhyUnsendable(directory) is { } why) throw why;
        var (verb, argument) = mlsd ? ("MLSD", sent) : ("LIST", TakesOptions ? "-a" : null);
        var data = await FluentData.OpenAsync(_control, verb, argument, directory, 0, ct).ConfigureAwait(false);
        await using var ended = data.ConfigureAwait(false);
        var reader = new LineReader(_control.Client.Encoding);
        var (lines, unknown, hasDots) = (0L, (string?)null, false);
        var (isAny, isClosed) = (false, false);
        bool more;
        do
        {
            more = await reader.FillAsync(data, directory, ct).ConfigureAwait(false);
            while (reader.Next() is { } line)
            {
                if (line.Length == 0) continue;
                lines++;
                var entry = mlsd ? MlsdLine.Parse(line, directory, out var isUnderstood) : _listLine.Parse(line, directory,
                    out isUnderstood);
                if (!isUnderstood) unknown ??= line;
                if (mlsd) isClosed |= MlsdLine.IsClosed(line);
                if (entry is null) continue;
                isAny = true;
                hasDots |= entry.Name.StartsWith('.');
                if (entry.Path.Length > directory.Length && IsName(entry.Name)) yield return entry;
                else report.AddGap("a name holds a slash or NUL, and was dropped");
            }
        }
        while (more);
        var reply = await data.FinishAsync(ct).ConfigureAwait(false);
        if (reader.IsCut) report.AddGap("its data ends inside a line");
        if (unknown is not null) report.AddGap($"a line was not understood: {PrintableText.Of(unknown)}");
        if (IsDoubtful(WithoutPath(reply.Text, sent))) report.AddGap($"the server says: {reply.Text}");
        // ProFTPD shows no entry of a directory that may be read and not entered, and completes the transfer.
        if (!isAny && isClosed) await CheckEntersAsync(directory, ct).ConfigureAwait(false);
        // LIST has no refusal for an unreadable directory: servers run ls, and send its output.
        if (!mlsd && lines == 0) report.DoubtEmptiness();
        if (!mlsd && !TakesOptions && !hasDots) report.DoubtDots();
    }

    private async ValueTask EnterAsync(string directory, CancellationToken ct)
    {
        var reply = await _control.ExecuteAsync(_control.Command("CWD", directory), ct).ConfigureAwait(false);
        if (!reply.IsSuccess) throw ReplyErrors.ToException(reply, "CWD", directory, writes: false);
    }

    private async ValueTask CheckEntersAsync(string directory, CancellationToken ct)
    {
        var reply = await _control.ExecuteAsync(_control.Command("CWD", directory), ct).ConfigureAwait(false);
        if (reply.IsSuccess) return;
        throw new TransferException(TransferError.Denied, $"{directory} cannot be entered: {reply.Text}") { RemotePath = directory };
    }

    // STAT of a file shows the name as sent.
    private string StripPath(string line, string path)
    {
        var sent = _control.Expand(path);
        return line.EndsWith(" " + sent, StringComparison.Ordinal) ? line[..^sent.Length] + RemotePath.GetName(path) : line;
    }

    private static bool IsName(string name) => name.Length > 0 && name is not ("." or "..") && !name.AsSpan().ContainsAny('/', '\0', '\r');

    private static bool IsDoubtful(string text) => Doubts.Any(word => text.Contains(word, StringComparison.OrdinalIgnoreCase));

    private static string WithoutPath(string text, string path) =>
        path.Length > 1 ? text.Replace(path, string.Empty, StringComparison.OrdinalIgnoreCase) : text;
}
