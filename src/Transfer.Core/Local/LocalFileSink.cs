using Microsoft.Win32.SafeHandles;
using Transfer.Engine;

namespace Transfer.Local;

/// <summary>A local file being received: written beside its target under a temporary name, renamed when whole.</summary>
internal sealed class LocalFileSink : EngineContent
{
    private readonly Lock _gate = new();
    private readonly string _target;
    private readonly LocalFileSinkOptions _options;
    private SafeFileHandle? _handle;
    private string? _written;
    private long _end;
    private bool _opened;

    public LocalFileSink(string target, LocalFileSinkOptions options)
    {
        _target = target;
        _options = options;
    }

    public override long? Length => _options.Length;

    private SafeFileHandle Handle
    {
        get { lock (_gate) return _handle ??= Open(); }
    }

    public override bool CanReplay => true;

    public override bool HasRanges => true;

    public override bool FinishBlocks => true;

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        try
        {
            await RandomAccess.WriteAsync(Handle, data, offset, ct).ConfigureAwait(false);
            lock (_gate) _end = Math.Max(_end, offset + data.Length);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", _target);
        }
    }

    public override ValueTask FinishAsync(long bytes)
    {
        try
        {
            var handle = Handle;
            if (_end != bytes)
                throw new TransferException(TransferError.Integrity, $"{_target}: {bytes} bytes were to arrive, {_end} did.");
            var existing = _options.Replace && !OperatingSystem.IsWindows() && File.Exists(_target);
            // Replacing by a rename must not open to others what was closed to them.
            if (existing && !OperatingSystem.IsWindows()) File.SetUnixFileMode(handle, File.GetUnixFileMode(_target));
            // Not flushed to the disk: that costs milliseconds a file, and no copying tool does it unasked.
            if (_options.Modified is { } modified) File.SetLastWriteTimeUtc(handle, modified.UtcDateTime);
            handle.Dispose();
            _handle = null;
            if (_written != _target) File.Move(_written!, _target, _options.Replace);
            _written = null;
            return default;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", _target);
        }
    }

    public override ValueTask ResetAsync()
    {
        _handle?.Dispose();
        _handle = null;
        _end = 0;
        if (_written is not null && _written != _target) File.Delete(_written);
        _written = null;
        return default;
    }

    public override ValueTask AbandonAsync(TransferException? reason) => ResetAsync();

    private SafeFileHandle Open()
    {
        var temporary = _options.TemporaryName?.Invoke();
        var path = temporary is null ? _target : Path.Join(Path.GetDirectoryName(_target), temporary);
        // Written directly, a second attempt finds what the first one left: that is ours to replace.
        var mode = temporary is null && (_options.Replace || _opened) ? FileMode.Create : FileMode.CreateNew;
        if (mode == FileMode.Create && new FileInfo(path).LinkTarget is not null)
            throw new TransferException(TransferError.Denied, $"{path} is a link: nothing is written through it.");
        var handle = File.OpenHandle(path, mode, FileAccess.Write, FileShare.Read | FileShare.Delete, FileOptions.Asynchronous);
        _opened = true;
        _written = path;
        return handle;
    }
}
