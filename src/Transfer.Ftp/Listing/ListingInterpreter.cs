using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Transfer.Ftp.Listing;

/// <summary>Decodes and parses the lines of one listing, and counts what it could not use.</summary>
internal sealed class ListingInterpreter : IDisposable
{
    private readonly ListingKind _kind;
    private readonly Encoding _encoding;
    private readonly ListingContext _context;
    private readonly EntryBuilder _builder;
    private readonly ListParser _parser = new();
    private char[] _chars = [];
    private int _skipped;

    /// <summary>Creates an interpreter for one listing.</summary>
    public ListingInterpreter(ListingKind kind, string directory, Encoding encoding, ListingContext context)
    {
        _kind = kind;
        _encoding = encoding;
        _context = context;
        _builder = new EntryBuilder(directory);
    }

    /// <summary>Takes lines from the buffer until one gives an entry; false when there is none left.</summary>
    public bool TryRead(LineBuffer lines, bool final, [NotNullWhen(true)] out RemoteEntry? entry)
    {
        while (lines.TryTake(final, out var line))
        {
            entry = Interpret(Decode(line));
            if (entry is not null) return true;
        }

        entry = null;
        return false;
    }

    /// <summary>Says once what was skipped: a listing of thousands of odd lines must not flood the log.</summary>
    public void Report(ILogger logger, string directory)
    {
        _parser.Complete();
        _skipped += _parser.Incomplete;
        if (_skipped > 0) Log.ListingLinesSkipped(logger, _skipped, directory);
        if (_builder.Dropped > 0) Log.ListingNamesDropped(logger, _builder.Dropped, directory);
    }

    public void Dispose()
    {
        if (_chars.Length > 0) ArrayPool<char>.Shared.Return(_chars);
    }

    private RemoteEntry? Interpret(ReadOnlySpan<char> line)
    {
        ListedEntry listed;
        if (_kind == ListingKind.Mlsd)
        {
            if (line.IsEmpty) return null;
            if (MlsxParser.TryParse(line, out listed, out var kind))
                return kind is MlsxKind.Current or MlsxKind.Parent ? null : _builder.Build(listed);
        }
        else if (_parser.TryParse(line, _context, out listed))
        {
            return listed.Name.IsEmpty ? null : _builder.Build(listed);
        }

        _skipped++;
        return null;
    }

    private ReadOnlySpan<char> Decode(ReadOnlySpan<byte> line)
    {
        var most = _encoding.GetMaxCharCount(line.Length);
        if (_chars.Length < most)
        {
            if (_chars.Length > 0) ArrayPool<char>.Shared.Return(_chars);
            _chars = ArrayPool<char>.Shared.Rent(most);
        }

        return _chars.AsSpan(0, _encoding.GetChars(line, _chars));
    }
}
