using System.Buffers;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Batch.Archive.Delta;

/// <summary>
/// Finds the blocks of a base anywhere in a file: reads the file once, with a buffer of some blocks, and computes the SHA-256 on the way.
/// Stops when nothing is gained, or when too many windows pass the weak hash without being blocks.
/// </summary>
internal sealed class DeltaMatcher : IDisposable
{
    private const int LeastBuffer = 256 << 10;

    // The instructions of a file are held in memory until the archive is confirmed.
    private const int MostInstructions = 1 << 20;

    // Strong hashes in vain may take as long as everything else; a file is hashed in this many bytes more at least.
    private const int LeastVain = 4 << 20;

    private readonly ArrayBufferWriter<byte> _instructions = new(64);
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly SafeFileHandle _source;
    private readonly long _length;
    private readonly BaseSignature _signature;
    private readonly SignatureIndex _index;
    private readonly int _block;
    private readonly ulong[] _leaving;
    private readonly long _most;
    private readonly byte[] _buffer;
    private readonly byte[] _strong;
    private int _filled;
    private long _read;    // bytes of the file
    private long _literal; // the place of the first byte without a block
    private long _literals;
    private long _vain;
    private int _first; // the first block of the current run
    private int _count;
    private int _behind; // the block behind the previous run
    private long _before; // literal bytes in front of the run

    private DeltaMatcher(SafeFileHandle source, long length, BaseSignature signature, long most)
    {
        _source = source;
        _length = length;
        _signature = signature;
        _index = new SignatureIndex(signature);
        _block = signature.Shape.Block;
        _leaving = RollingHash.Leaving(_block);
        _most = most;
        _strong = new byte[signature.Shape.Strong];
        _buffer = ArrayPool<byte>.Shared.Rent(Math.Max(LeastBuffer, 2 * _block));
    }

    private bool IsEnd => _read == _length;

    private bool IsPointless => _literals > _most || _vain > _length + LeastVain || _instructions.WrittenCount > MostInstructions;

    /// <summary>Makes a delta; null: none is shorter than <paramref name="most"/>, or the file's length has changed.</summary>
    /// <param name="source">The file.</param>
    /// <param name="length">The file's length.</param>
    /// <param name="signature">The complete signature of the base.</param>
    /// <param name="most">The most bytes that the delta may have.</param>
    /// <param name="ct">Stops the search.</param>
    /// <exception cref="IOException">The file can't be read.</exception>
    public static FileDelta? Match(SafeFileHandle source, long length, BaseSignature signature, long most, CancellationToken ct)
    {
        using var matcher = new DeltaMatcher(source, length, signature, most);
        return matcher.Run(ct) ? matcher.Result() : null;
    }

    public void Dispose()
    {
        _hash.Dispose();
        // Cleared, since content to be sealed must not leak to the next renter.
        ArrayPool<byte>.Shared.Return(_buffer, clearArray: true);
    }

    private FileDelta? Result()
    {
        var body = _instructions.WrittenCount + _literals;
        if (body > _most || _length > FileDelta.MostLength(_signature.Shape.Length, body)) return null;
        return new FileDelta
        {
            Shape = _signature.Shape,
            Instructions = _instructions.WrittenSpan.ToArray(),
            Literals = _literals,
            Hash = _hash.GetHashAndReset(),
            BaseHash = _signature.Hash,
            Length = _length,
        };
    }

    private bool Run(CancellationToken ct)
    {
        var at = 0; // the window's first byte
        var hash = 0UL;
        var isKnown = false;
        while (true)
        {
            // A window and one byte more, so that the window can always move on.
            if (_filled - at <= _block && !IsEnd)
            {
                ct.ThrowIfCancellationRequested();
                // A long literal is counted at its end, but must be noticed earlier.
                if (IsPointless || _literals + Place(at) - _literal > _most || !Refill(ref at)) return false;
                continue;
            }
            if (_filled - at < _block) break;
            if (!isKnown) hash = RollingHash.Of(_buffer.AsSpan(at, _block));
            isKnown = true;
            at += Skip(at, ref hash);
            if (_index.Has(RollingHash.Weak(hash)))
            {
                var found = Find(at, hash);
                if (found >= 0)
                {
                    Copy(found, Place(at));
                    at += _block;
                    isKnown = false;
                }
                // Where each window has to be hashed, the end of the buffer is far away.
                ct.ThrowIfCancellationRequested();
                if (IsPointless) return false;
                if (found >= 0) continue;
            }
            if (_filled - at > _block)
            {
                hash = RollingHash.Roll(hash, RollingHash.Step(_leaving, _buffer[at], _buffer[at + _block]));
                at++;
            }
            else if (IsEnd)
            {
                break;
            }
        }
        Finish();
        return !IsPointless;
    }

    // Where in the file a place of the buffer is.
    private long Place(int at) => _read - _filled + at;

    private bool Refill(ref int at)
    {
        _buffer.AsSpan(at, _filled - at).CopyTo(_buffer);
        _filled -= at;
        at = 0;
        while (_filled < _buffer.Length && !IsEnd)
        {
            var room = _buffer.AsSpan(_filled, (int)Math.Min(_buffer.Length - _filled, _length - _read));
            var count = RandomAccess.Read(_source, room, _read);
            if (count == 0) return false;
            _hash.AppendData(room[..count]);
            _filled += count;
            _read += count;
        }
        return true;
    }

    // Moves the window on while no block is possible: the loop that takes the time. Two steps at once, so that the next need not wait for
    // each multiplication.
    private int Skip(int at, ref ulong hash)
    {
        ReadOnlySpan<byte> enters = _buffer.AsSpan(at + _block, (_filled - at - _block) & ~1);
        ReadOnlySpan<byte> leaves = _buffer.AsSpan(at, enters.Length);
        var filter = _index.Filter;
        var shift = _index.FilterShift;
        var leaving = _leaving;
        var current = hash;
        for (var i = 0; i + 1 < enters.Length; i += 2)
        {
            var first = RollingHash.Step(leaving, leaves[i], enters[i]);
            var second = RollingHash.Step(leaving, leaves[i + 1], enters[i + 1]);
            var next = RollingHash.Roll(current, first);
            var (bit, nextBit) = ((int)(current >> shift), (int)(next >> shift));
            if ((((filter[bit >> 6] >> bit) | (filter[nextBit >> 6] >> nextBit)) & 1) != 0)
            {
                hash = current;
                if (_index.Has(RollingHash.Weak(current))) return i;
                hash = next;
                if (_index.Has(RollingHash.Weak(next))) return i + 1;
            }
            current = unchecked((current * RollingHash.Base2) + RollingHash.Roll(first, second));
        }
        hash = current;
        return enters.Length;
    }

    private int Find(int at, ulong hash)
    {
        var found = _index.Find(_buffer.AsSpan(at, _block), RollingHash.Weak(hash), _first + _count, _strong, out var hashed);
        if (found < 0 && hashed) _vain += _block;
        return found;
    }

    private void Copy(int block, long place)
    {
        if (_count > 0 && place == _literal && block == _first + _count)
        {
            _count++;
        }
        else
        {
            WriteRun();
            (_first, _count, _before) = (block, 1, place - _literal);
        }
        _literal = place + _signature.Shape.LengthOf(block, 1);
    }

    // The last block of the base is often shorter, and mostly still the end of the file.
    private void TakeTail()
    {
        var shape = _signature.Shape;
        if (shape.Blocks == shape.FullBlocks) return;
        var length = (int)(shape.Length - ((long)shape.FullBlocks * _block));
        if (length <= _length - _literal && length <= _filled)
        {
            var tail = _buffer.AsSpan(_filled - length, length);
            BlockShape.Hash(tail, _strong);
            if (_signature.Weak(shape.FullBlocks) == RollingHash.Weak(RollingHash.Of(tail))
                && _signature.Strong(shape.FullBlocks).SequenceEqual(_strong))
            {
                Copy(shape.FullBlocks, _length - length);
            }
        }
    }

    private void WriteRun()
    {
        if (_count == 0) return;
        DeltaInstructions.Append(_instructions, _before, _count, _first - _behind);
        _literals += _before;
        _behind = _first + _count;
    }

    private void Finish()
    {
        TakeTail();
        WriteRun();
        if (_literal == _length) return;
        DeltaInstructions.Append(_instructions, _length - _literal, 0, 0);
        _literals += _length - _literal;
    }
}
