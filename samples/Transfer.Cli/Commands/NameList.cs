using System.Runtime.CompilerServices;
using System.Text;

namespace Transfer.Cli.Commands;

/// <summary>The names in a file or on standard input (<c>--files-from</c>): relative paths, one a line or up to a NUL.</summary>
internal sealed class NameList
{
    private const int Block = 64 * 1024;
    private const int LongestName = 64 * 1024;

    private readonly CommandHost _host;
    private readonly byte _end;

    private NameList(CommandHost host, string source, bool isZero) =>
        (_host, Source, _end) = (host, source, isZero ? (byte)0 : (byte)'\n');

    /// <summary>The file, or <c>-</c>.</summary>
    public string Source { get; }

    /// <summary>Reads the options; null: none of the two was given.</summary>
    public static NameList? Of(Invocation invocation)
    {
        var (lines, zeros) = (invocation.Value(invocation.Options.FilesFrom), invocation.Value(invocation.Options.FilesFrom0));
        if (lines is not null && zeros is not null) throw new UsageException("--files-from and --files-from0 contradict each other.");
        if ((lines ?? zeros) is not { } source) return null;
        if (source.Length == 0) throw new UsageException("--files-from wants a file, or - for standard input.");
        return source == "-" || File.Exists(source)
            ? new NameList(invocation.Host, source, zeros is not null)
            : throw new UsageException($"--files-from: there is no file {source}.");
    }

    /// <summary>Reads the names as they come; memory does not grow with their number.</summary>
    /// <exception cref="UsageException">A name is none of a file below a folder.</exception>
    public async IAsyncEnumerable<string> ReadAsync([EnumeratorCancellation] CancellationToken ct)
    {
        await using var file = Source == "-"
            ? null : new FileStream(Source, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, Block, true);
        var input = file ?? _host.Input;
        var (buffer, filled, isFirst) = (new byte[Block + LongestName], 0, true);
        while (true)
        {
            var read = await input.ReadAsync(buffer.AsMemory(filled, Block), ct);
            filled += read;
            var start = 0;
            for (int length; (length = buffer.AsSpan(start, filled - start).IndexOf(_end)) >= 0; start += length + 1)
                if (Take(buffer.AsSpan(start, length)) is { } name) yield return name;
            buffer.AsSpan(start, filled - start).CopyTo(buffer);
            filled -= start;
            if (filled >= LongestName) throw new UsageException($"--files-from: a name in {Source} is longer than any file's.");
            if (read > 0) continue;
            if (Take(buffer.AsSpan(0, filled)) is { } last) yield return last;
            yield break;
        }

        // An editor's mark in front of a text belongs to no name.
        string? Take(ReadOnlySpan<byte> line)
        {
            if (isFirst && _end == '\n' && line.StartsWith(Encoding.UTF8.Preamble)) line = line[Encoding.UTF8.Preamble.Length..];
            isFirst = false;
            return Name(line);
        }
    }

    private string? Name(ReadOnlySpan<byte> bytes)
    {
        if (_end == '\n') bytes = bytes.TrimEnd((byte)'\r');
        if (bytes.IsEmpty) return null;
        var name = NameEncoding.LosslessUtf8.GetString(bytes);
        if (OperatingSystem.IsWindows()) name = name.Replace('\\', '/');
        if (name.StartsWith("./", StringComparison.Ordinal)) name = name[2..];
        var isRelative = !name.AsSpan().ContainsAny('\r', '\n', '\0')
            && name.Split('/') is var parts && parts.All(part => part is not ("" or "." or ".."));
        return isRelative ? name : throw new UsageException(
            $"--files-from: '{PrintableText.Of(name)}' is no path below the source: those have no .., no / at an end, and no line's end.");
    }
}
