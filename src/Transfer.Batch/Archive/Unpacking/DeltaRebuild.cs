using System.Buffers;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Makes a file of an older one by a delta's instructions, as they arrive, and verifies the result. Never writes more than was
/// announced.</summary>
internal sealed class DeltaRebuild : IDisposable
{
    private readonly TarDelta _delta;
    private readonly BlockShape _shape;
    private readonly SafeFileHandle _base;
    private readonly SafeFileHandle _target;
    private readonly string _path;
    private readonly bool _isOneWay;
    private readonly CancellationToken _ct;
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(DeltaInstructions.CopyBuffer);
    private int _filled;
    private long _put;
    private long _literal; // bytes still to arrive
    private long _count;
    private long _behind;
    private long _number;
    private int _shift;
    private State _state;

    private DeltaRebuild(TarDelta delta, SafeFileHandle source, SafeFileHandle target, string path, bool isOneWay, CancellationToken ct)
    {
        _isOneWay = isOneWay;
        _delta = delta;
        _shape = new BlockShape(delta.BaseLength, delta.Block, BlockShape.LeastStrong);
        _base = source;
        _target = target;
        _path = path;
        _ct = ct;
    }

    // The next number in the instructions.
    private enum State
    {
        Literal,
        Count,
        Ahead,
    }

    /// <summary>The bytes that were written, or are about to be.</summary>
    public long Written => _put + _filled;

    /// <summary>Opens the base of a delta.</summary>
    /// <param name="path">The file.</param>
    /// <param name="entry">The entry, which is a delta.</param>
    /// <param name="isOneWay">Whether the sender can't send the whole file at once: errors of the disk are then reported as such, and may
    /// pass.</param>
    /// <param name="ct">Stops reading: where the entry gives the base's hash, the whole file is read.</param>
    /// <returns>The base; null: the file here is the delta's result already.</returns>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/>: the file is missing, or is not the base.</exception>
    public static SafeFileHandle? OpenBase(string path, TarEntry entry, bool isOneWay, CancellationToken ct)
    {
        var delta = entry.Delta!.Value;
        if (delta.Length > FileDelta.MostLength(delta.BaseLength, entry.Length)) throw Unfit(entry.Path);
        SafeFileHandle? handle = null;
        var isBase = false;
        try
        {
            handle = DiskFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var length = RandomAccess.GetLength(handle);
            isBase = length == delta.BaseLength && delta.BaseHash is null;
            if (isBase) return handle;
            if (delta.BaseHash is null || length != delta.BaseLength && length != delta.Length) throw Unfit(entry.Path);
            var hash = HashOf(handle, ct).AsSpan();
            isBase = length == delta.BaseLength && hash.SequenceEqual(delta.BaseHash);
            if (isBase) return handle;
            // Another program has brought the new file, or another machine of the same recipient.
            if (length != delta.Length || !hash.SequenceEqual(delta.Hash)) throw Unfit(entry.Path);
            return null;
        }
        catch (Exception e)
            when (e is FileNotFoundException or DirectoryNotFoundException || !isOneWay && e is IOException or UnauthorizedAccessException)
        {
            throw Unfit(entry.Path, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw LocalErrors.Map(e, "Cannot read", entry.Path);
        }
        finally
        {
            if (!isBase) handle?.Dispose();
        }
    }

    /// <summary>Begins to rebuild.</summary>
    /// <param name="delta">The announced facts.</param>
    /// <param name="source">The base, owned by the new object from here on.</param>
    /// <param name="target">The file to write; belongs to the caller.</param>
    /// <param name="path">The path of the target.</param>
    /// <param name="isOneWay">As in <see cref="OpenBase"/>.</param>
    /// <param name="ct">Stops the work, also within a step: a few bytes of instructions may copy all of the base.</param>
    public static DeltaRebuild Begin(TarDelta delta, SafeFileHandle source, SafeFileHandle target, string path, bool isOneWay,
        CancellationToken ct) => new(delta, source, target, path, isOneWay, ct);

    /// <summary>Returns the error that a sender takes as the request for the whole file.</summary>
    public static TransferException Unfit(string path, Exception? inner = null) =>
        new(TransferError.Integrity, $"\"{path}\" can't be made of what is here.", inner);

    /// <summary>Executes more of the instructions.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: they are malformed; <see cref="TransferError.Integrity"/>:
    /// the base has changed.</exception>
    public void Write(ReadOnlySpan<byte> body)
    {
        while (!body.IsEmpty)
        {
            if (_literal > 0)
            {
                var literal = body[..(int)Math.Min(_literal, body.Length)];
                Put(literal);
                _literal -= literal.Length;
                body = body[literal.Length..];
            }
            else if (TakeNumber(body[0]) is { } number)
            {
                body = body[1..];
                Follow(number);
            }
            else
            {
                body = body[1..];
            }
        }
    }

    /// <summary>Ends the instructions and verifies the file.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/>: the result is not the announced file.</exception>
    public void Complete(string path)
    {
        Flush();
        if (_state != State.Literal || _shift > 0 || _literal > 0 || _put != _delta.Length
            || !_hash.GetHashAndReset().AsSpan().SequenceEqual(_delta.Hash))
        {
            throw Unfit(path);
        }
    }

    public void Dispose()
    {
        _base.Dispose();
        _hash.Dispose();
        // Cleared, since content that arrived sealed must not leak to the next renter.
        ArrayPool<byte>.Shared.Return(_buffer, clearArray: true);
    }

    private static byte[] HashOf(SafeFileHandle handle, CancellationToken ct)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        var buffer = ArrayPool<byte>.Shared.Rent(DeltaInstructions.CopyBuffer);
        try
        {
            long offset = 0;
            for (int read; (read = RandomAccess.Read(handle, buffer.AsSpan(0, DeltaInstructions.CopyBuffer), offset)) > 0; offset += read)
            {
                ct.ThrowIfCancellationRequested();
                hash.AppendData(buffer, 0, read);
            }
            return hash.GetHashAndReset();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer, clearArray: true);
        }
    }

    private long? TakeNumber(byte value)
    {
        if (_shift >= 7 * DeltaInstructions.MostNumber) throw Malformed();
        _number |= (long)(value & 0x7F) << _shift;
        _shift += 7;
        if (value >= 0x80) return null;
        var number = _number;
        (_number, _shift) = (0, 0);
        return number;
    }

    private void Follow(long number)
    {
        switch (_state)
        {
            case State.Literal:
                if (number > _delta.Length - Written) throw Malformed();
                _literal = number;
                _state = State.Count;
                break;
            case State.Count:
                _count = number;
                _state = number == 0 ? State.Literal : State.Ahead;
                break;
            default:
                CopyBlocks(_behind + DeltaInstructions.Signed(number));
                _state = State.Literal;
                break;
        }
    }

    private void CopyBlocks(long first)
    {
        _ct.ThrowIfCancellationRequested();
        if (first < 0 || first > _shape.Blocks || _count > _shape.Blocks - first) throw Malformed();
        _behind = first + _count;
        var offset = first * _shape.Block;
        var left = _shape.LengthOf(first, _count);
        if (left > _delta.Length - Written) throw Malformed();
        while (left > 0)
        {
            if (_filled == _buffer.Length) Flush();
            var room = _buffer.AsSpan(_filled, (int)Math.Min(left, _buffer.Length - _filled));
            var read = Read(room, offset);
            _filled += read;
            offset += read;
            left -= read;
        }
    }

    private int Read(Span<byte> room, long offset)
    {
        try
        {
            if (RandomAccess.Read(_base, room, offset) is > 0 and var read) return read;
        }
        catch (IOException e) when (!_isOneWay)
        {
            throw new TransferException(TransferError.Integrity, $"The file that it is made of can't be read: {e.Message}", e);
        }
        throw new TransferException(TransferError.Integrity, "The file that it is made of became shorter meanwhile.");
    }

    private void Put(ReadOnlySpan<byte> content)
    {
        while (!content.IsEmpty)
        {
            if (_filled == _buffer.Length) Flush();
            var count = Math.Min(content.Length, _buffer.Length - _filled);
            content[..count].CopyTo(_buffer.AsSpan(_filled));
            _filled += count;
            content = content[count..];
        }
    }

    private void Flush()
    {
        if (_filled == 0) return;
        _ct.ThrowIfCancellationRequested();
        _hash.AppendData(_buffer, 0, _filled);
        ReceivedFile.Write(_target, _buffer.AsSpan(0, _filled), _put, _path);
        _put += _filled;
        _filled = 0;
    }

    private static TransferException Malformed() => new(TransferError.Protocol, "The instructions of a delta make no sense.");
}
