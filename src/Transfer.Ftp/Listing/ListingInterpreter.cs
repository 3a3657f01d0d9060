using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Transfer.Ftp.Listing;

/// <summary>Decodes and parses the lines of one listing, and counts them.</summary>
internal sealed class ListingInterpreter : IDisposable
{
    private readonly ListingKind _kind;
    private readonly string _directory;
    private readonly Encoding _encoding;
    private readonly ListingContext _context;
    private readonly EntryBuilder _builder;
    private readonly DateInference _dates;
    private readonly ListParser _parser = new();
    private readonly ListingSummary _summary;
    private char[] _chars = [];

    /// <summary>Creates an interpreter for one listing.</summary>
    public ListingInterpreter(ListingKind kind, string directory, Encoding encoding, ListingContext context, ListingSummary summary)
    {
        _kind = kind;
        _directory = directory;
        _summary = summary;
        _encoding = encoding;
        _context = context;
        _builder = new EntryBuilder(directory);
        _dates = new DateInference(context);
    }

    /// <summary>Takes lines from the buffer until one yields an entry; false: no more lines.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Partial"/>: too many bytes of lines yield none.</exception>
    public bool TryRead(LineBuffer lines, bool final, [NotNullWhen(true)] out RemoteEntry? entry)
    {
        while (!_dates.TryTake(out entry))
        {
            if (lines.TryTake(final, out var line))
            {
                var text = Decode(line);
                // Half a line may hold half a name, which would be another file's.
                if (lines.IsCut) _summary.IsCut |= !text.IsWhiteSpace();
                else if (!TryInterpret(text, line.Length)) CountUnused(line.Length + 1);
                continue;
            }

            if (!final) return false;
            _dates.Complete();
            return _dates.TryTake(out entry);
        }

        return true;
    }

    /// <summary>Ends the listing.</summary>
    public void Complete()
    {
        _parser.Complete();
        _summary.SkipIncomplete(_parser.Incomplete);
        _summary.Dropped = _builder.Dropped;
        _summary.IsUnix = _parser.Format is ListFormat.Unix or ListFormat.Unknown;
    }

    public void Dispose()
    {
        if (_chars.Length > 0) ArrayPool<char>.Shared.Return(_chars);
    }

    // False: the line has no entry.
    private bool TryInterpret(ReadOnlySpan<char> line, int bytes)
    {
        ListedEntry listed;
        if (_kind == ListingKind.Mlsd)
        {
            if (line.IsEmpty) return false;
            if (MlsxParser.TryParse(line, out listed, out var kind))
            {
                _summary.Named++;
                if (kind == MlsxKind.Current) _summary.IsClosed |= MlsxParser.IsClosed(line);
                else if (kind != MlsxKind.Parent) return TryAdd(listed, bytes);
                return false;
            }
            if (MlsxParser.FindUntypedName(line) is { Length: > 0 } name)
            {
                _summary.SkipUntyped(line, name.ToString());
                return false;
            }
        }
        else if (_parser.TryParse(line, _context, out listed))
        {
            if (!listed.Name.IsEmpty) Count(listed.Name);
            else if (!line.IsWhiteSpace()) _summary.Frames++;
            return !listed.Name.IsEmpty && TryAdd(listed, bytes);
        }

        _summary.Skip(line);
        return false;
    }

    private bool TryAdd(in ListedEntry listed, int bytes)
    {
        if (_builder.Build(listed, namesMembers: _parser.Format == ListFormat.IbmI) is not { } entry) return false;
        _dates.Add(entry, listed.Numbers, bytes);
        return true;
    }

    // Entries count where they are kept.
    private void CountUnused(int bytes)
    {
        if ((_summary.Unused += bytes) <= _summary.MostUnused) return;
        throw new TransferException(TransferError.Partial,
            $"The listing of {_directory} has more lines without an entry than MaxListingBytes (--max-listing) allows, "
            + $"{_summary.MostUnused} bytes, and was not read to its end.")
        { RemotePath = _directory };
    }

    private void Count(ReadOnlySpan<char> name)
    {
        _summary.Named++;
        _summary.HasDots |= name[0] == '.';
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
