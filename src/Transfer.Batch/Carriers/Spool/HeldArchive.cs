using System.Buffers;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>
/// An archive that is held whole, before use or before sending, since the proof covers all of it. An archive of the usual length is in
/// memory, as far as the budget allows; a longer one is in a file that is deleted on disposal. Written from the beginning to the end, and
/// then read from anywhere.
/// </summary>
internal sealed class HeldArchive : Stream
{
    /// <summary>The most bytes of an archive, more than the limit of an unpacked one.</summary>
    public const long MostLength = 320L << 20;

    /// <summary>The most bytes of an archive in memory.</summary>
    public const int MostMemory = 8 << 20;

    // The pool has arrays of just this length. Of one for all, half would be empty.
    private const int Step = 512 << 10;
    private const int Piece = 64 << 10;

    private readonly List<(byte[] Bytes, BudgetShare Share)> _steps = [];
    private readonly string _scratch;
    private readonly ByteBudget _budget;
    private FileStream? _file;
    private long _length;
    private long _position;

    /// <param name="scratch">The path for a file, used by this archive only.</param>
    /// <param name="budget">The job's memory. If exhausted, the archive goes to the file without a wait.</param>
    public HeldArchive(string scratch, ByteBudget budget)
    {
        _scratch = scratch;
        _budget = budget;
    }

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => true;

    public override long Length => _length;

    public override long Position
    {
        get => _position;
        set => Seek(value, SeekOrigin.Begin);
    }

    /// <summary>Reads all of an archive.</summary>
    /// <param name="source">The archive; fails at the end if the proof is wrong.</param>
    /// <param name="scratch">The path for a file, used by this archive only.</param>
    /// <param name="most">The most bytes.</param>
    /// <param name="budget">The job's memory.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the archive is too long; or an error of the file, or of
    /// the source.</exception>
    public static async ValueTask<HeldArchive> ReadAsync(Stream source, string scratch, long most, ByteBudget budget, CancellationToken ct)
    {
        var held = new HeldArchive(scratch, budget);
        var buffer = ArrayPool<byte>.Shared.Rent(Piece);
        try
        {
            for (int count; (count = await source.ReadAsync(buffer, ct).ConfigureAwait(false)) > 0;)
            {
                if (held.Length + count > most)
                    throw new TransferException(TransferError.Protocol, $"The archive has more than {most} bytes.");
                await held.WriteAsync(buffer.AsMemory(0, count), ct).ConfigureAwait(false);
            }
            held.Position = 0;
            return held;
        }
        catch (Exception e)
        {
            await held.DisposeAsync().ConfigureAwait(false);
            if (LocalErrors.IsLocal(e)) throw LocalErrors.Map(e, "Cannot hold an archive in", scratch);
            throw;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <exception cref="TransferException">Writing the file failed.</exception>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            if (_file is null && !HasRoom(_length + buffer.Length)) await SpillAsync(cancellationToken).ConfigureAwait(false);
            if (_file is not null) await _file.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
            else Put(buffer.Span);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", _scratch);
        }
        _position = _length += buffer.Length;
    }

    /// <exception cref="TransferException">Reading the file failed.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        int count;
        try
        {
            count = _file is null ? Take(buffer.Span) : await _file.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", _scratch);
        }
        _position += count;
        return count;
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        _position = offset + (origin == SeekOrigin.Begin ? 0 : origin == SeekOrigin.Current ? _position : _length);
        if (_file is not null) _file.Position = _position;
        return _position;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronously.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("Only asynchronously.");

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush()
    {
        // The content goes with the file.
    }

    public override async ValueTask DisposeAsync()
    {
        if (_file is not null) await _file.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _file?.Dispose();
            Forget();
        }
        base.Dispose(disposing);
    }

    private bool HasRoom(long length)
    {
        if (length > MostMemory) return false;
        while (_steps.Count * (long)Step < length)
        {
            if (_budget.TryTake(Step) is not { } share) return false;
            _steps.Add((ArrayPool<byte>.Shared.Rent(Step), share));
        }
        return true;
    }

    private void Put(ReadOnlySpan<byte> bytes)
    {
        for (var at = _length; !bytes.IsEmpty;)
        {
            var room = RoomAt(at);
            var count = Math.Min(bytes.Length, room.Length);
            bytes[..count].CopyTo(room);
            bytes = bytes[count..];
            at += count;
        }
    }

    private int Take(Span<byte> into)
    {
        var count = (int)Math.Clamp(_length - _position, 0, into.Length);
        for (var done = 0; done < count;)
        {
            var there = RoomAt(_position + done);
            var part = Math.Min(count - done, there.Length);
            there[..part].CopyTo(into[done..]);
            done += part;
        }
        return count;
    }

    private Span<byte> RoomAt(long at) => _steps[(int)(at / Step)].Bytes.AsSpan((int)(at % Step), Step - (int)(at % Step));

    private async ValueTask SpillAsync(CancellationToken ct)
    {
        var options = new FileStreamOptions
        {
            BufferSize = Piece,
            Mode = FileMode.Create,
            Access = FileAccess.ReadWrite,
            Share = FileShare.None,
            Options = FileOptions.Asynchronous | FileOptions.DeleteOnClose
        };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        var file = new FileStream(_scratch, options);
        try
        {
            var left = _length;
            for (var i = 0; left > 0; i++, left -= Step)
                await file.WriteAsync(_steps[i].Bytes.AsMemory(0, (int)Math.Min(left, Step)), ct).ConfigureAwait(false);
            _file = file;
            Forget();
        }
        catch
        {
            await file.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void Forget()
    {
        foreach (var (bytes, share) in _steps)
        {
            ArrayPool<byte>.Shared.Return(bytes);
            share.Dispose();
        }
        _steps.Clear();
    }
}
