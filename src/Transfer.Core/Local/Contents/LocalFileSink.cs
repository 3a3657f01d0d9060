using Microsoft.Win32.SafeHandles;
using Transfer.Contents;
using Transfer.Journal;
using Transfer.Modes;

namespace Transfer.Local.Contents;

/// <summary>A local file being received: written beside the target under a temporary name, renamed when whole.</summary>
internal sealed class LocalFileSink : EngineContent
{
    private readonly Lock _gate = new();
    private readonly string _target;
    private readonly LocalFileSinkOptions _options;
    private SafeFileHandle? _handle;
    private DateTimeOffset? _modified;
    private WrittenRanges? _ranges;
    private string? _written;
    private string? _tried; // the path that was opened last, or was to be
    private long _end;
    private long _reserved;
    private bool _opened;

    public LocalFileSink(string target, LocalFileSinkOptions options)
    {
        _target = target;
        _options = options;
        _modified = options.Modified;
    }

    public override long? Length => _options.Length;

    private SafeFileHandle Handle
    {
        get { lock (_gate) return _handle ??= Open(); }
    }

    public override bool CanReplay => true;

    public override bool HasRanges => true;

    public override bool FinishBlocks => true;

    public override bool OpensFile => true;

    public override void Prepare()
    {
        // A file written under its final name is not touched before the first byte arrives.
        if (_options.TemporaryName is null || FileReservation.BytesFor(_options.Length) == 0) return;
        try
        {
            // A full disk fails here, before any request is sent.
            _ = Handle;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw Mapped(e);
        }
    }

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        try
        {
            var handle = Handle;
            DiskFaults.Check(DiskCall.Write, _written!);
            await RandomAccess.WriteAsync(handle, data, offset, ct).ConfigureAwait(false);
            lock (_gate) _end = Math.Max(_end, offset + data.Length);
            _ranges?.Wrote(offset, data.Length);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw Mapped(e);
        }
    }

    public override async ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        if (_written is not { } path) return 0;
        try
        {
            // The writing handle may not be readable.
            var file = DiskFiles.OpenStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            await using var fileEnd = file.ConfigureAwait(false);
            file.Position = offset;
            return await file.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", _target, path);
        }
    }

    public override void SetModified(DateTimeOffset modified) => _modified = modified;

    public override async ValueTask FinishAsync(long bytes)
    {
        try
        {
            var handle = Handle;
            var failure = await StopAsync().ConfigureAwait(false);
            // Some bytes may be lost, and look present until they are read from the disk: no later flush would report that.
            if (failure is not null) throw Mapped(failure);
            if (_end != bytes)
                throw new TransferException(TransferError.Integrity, $"{_target}: {bytes} bytes were to arrive, {_end} did.");
            // Shorter than announced: the rest of the reserved room is freed.
            if (_end < _reserved) DiskFiles.SetLength(handle, _end, _written!);
            // Under the final name the file has the permissions with which it was opened, or those from before.
            if (_written != _target)
                LocalModes.SetFinalMode(handle, _written!, _target, _options.Replace, _options.Mode, _options.SourceMode);
            else if (_options.Mode is not null)
                LocalModes.SetFinalMode(handle, _target, _target, replaces: false, _options.Mode, source: null);
            if (_modified is { } modified) DiskFiles.SetModified(handle, modified.UtcDateTime, _written!);
            // A flush costs milliseconds a file, and no copying tool does so by default.
            if (_options.FlushToDisk) Disk.FlushFile(handle, _written!);
            _handle = null;
            Disk.Close(handle, _written!);
            if (_written != _target && _options.Replace) _options.BackUp?.Invoke();
            if (_written != _target) LocalRename.Move(_written!, _target, _options.Replace);
            _written = null;
            if (_options.FlushToDisk) Disk.FlushFolder(Path.GetDirectoryName(_target)!);
        }
        catch (TransferException e) when (e.Error == TransferError.Unsupported && _options.TemporaryFolder is { } folder)
        {
            throw TemporaryFolderError.Explain(e, folder);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw Mapped(e);
        }
    }

    public override async ValueTask ResetAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        _end = 0;
        if (_written is not null && _written != _target) DiskFiles.Delete(_written);
        _written = null;
    }

    public override ValueTask AbandonAsync(TransferException? reason) => ResetAsync();

    public override async ValueTask KeepAsync(TransferException? reason)
    {
        // Without any byte received, the file is only reserved room.
        if (_ranges is null || _end == 0)
        {
            await ResetAsync().ConfigureAwait(false);
            return;
        }
        await _ranges.FlushAsync().ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
        _written = null;
    }

    public override async ValueTask<Continuation?> PauseAsync()
    {
        // Bytes of an earlier attempt of this run are among those written only where that attempt was continued.
        if (_ranges is not { HasFailed: false } ranges || ranges.Written() is not { Count: >= JobJournal.LeastContinued } written
            || _options.Journaled!.Continuation is not null)
        {
            return await base.PauseAsync().ConfigureAwait(false);
        }

        var continuation = Continuation.Of(_written!, written, _options.Journaled.Stamp.Length);
        await KeepAsync(null).ConfigureAwait(false);
        return continuation;
    }

    // Returns the reason why a flush failed.
    private async ValueTask<Exception?> StopAsync()
    {
        var failure = _ranges is null ? null : await _ranges.StopAsync().ConfigureAwait(false);
        _ranges = null;
        return failure;
    }

    private async ValueTask CloseAsync()
    {
        await StopAsync().ConfigureAwait(false);
        DiskFiles.Release(_handle);
        _handle = null;
    }

    private TransferException Mapped(Exception exception) => LocalErrors.Map(exception, "Cannot write", _target, _tried);

    private SafeFileHandle Open()
    {
        if (_options.Journaled?.Continuation is { } continuation) return Continue(continuation);
        var temporary = _options.TemporaryName?.Invoke();
        var path = temporary is null ? _target : Path.Join(_options.TemporaryFolder ?? Path.GetDirectoryName(_target), temporary);
        _tried = path;
        if (_options.CreateDirectories)
        {
            DiskDirectories.Create(Path.GetDirectoryName(path)!);
            if (_options.TemporaryFolder is not null) DiskDirectories.Create(Path.GetDirectoryName(_target)!);
        }
        // With direct writing, a second attempt finds the first one's file, which is ours to replace.
        var mode = temporary is null && (_options.Replace || _opened) ? FileMode.Create : FileMode.CreateNew;
        if (mode == FileMode.Create && LocalLinks.IsLink(path))
            throw new TransferException(TransferError.Denied, $"{path} is a link: nothing is written through it.");
        var journaled = temporary is null ? null : _options.Journaled;
        // .NET deletes a file that is replaced by writing when there is no room for the new content.
        _reserved = mode == FileMode.CreateNew ? FileReservation.BytesFor(_options.Length) : 0;
        var permissions = temporary is null ? (_options.SourceMode ?? FinalMode.Usual) & FinalMode.Permissions : FinalMode.Unfinished;
        // The reservation of room may take long: without a note, no run would delete the file of one that is killed meanwhile.
        journaled?.Began(path);
        var handle = FileReservation.Open(path, mode, AccessFor(journaled), _reserved, permissions);
        if (mode == FileMode.Create) LocalModes.ClearSpecialBits(handle, path);
        _opened = true;
        _written = path;
        if (journaled is { MayContinue: true }) _ranges = new WrittenRanges(handle, path, journaled);
        return handle;
    }

    private SafeFileHandle Continue(Continuation continuation)
    {
        _tried = continuation.Temporary;
        // The room was reserved when the file was begun.
        var handle = FileReservation.Open(continuation.Temporary, FileMode.Open, AccessFor(_options.Journaled), reserved: 0);
        LocalModes.Close(handle, continuation.Temporary);
        _opened = true;
        _written = continuation.Temporary;
        _end = RandomAccess.GetLength(handle);
        _ranges = new WrittenRanges(handle, continuation.Temporary, _options.Journaled!);
        return handle;
    }

    // The journal's note on a range holds a hash of bytes read back.
    private static FileAccess AccessFor(JournaledFile? journaled) =>
        journaled is { MayContinue: true } ? FileAccess.ReadWrite : FileAccess.Write;
}
