using Microsoft.Win32.SafeHandles;
using Transfer.Contents;

namespace Transfer.Local.Contents;

/// <summary>A local file being sent. The length and time are fixed at the first opening: a file that is written to after that fails, also
/// in a later attempt, since the bytes arriving would be neither the old file nor the new one. Some file systems report a length of 0 for
/// files with content (/proc, FUSE): such a file is read to the end.</summary>
internal sealed class LocalFileSource : EngineContent
{
    private readonly Lock _gate = new();
    private readonly string _path;
    private SafeFileHandle? _handle;
    private long? _length;
    private DateTime? _modified;

    public LocalFileSource(string path, long? length)
    {
        _path = path;
        _length = length;
    }

    public override long? Length => _length;

    public override long? WholeLength => _length == 0 ? null : _length;

    public override bool CanReplay => true;

    public override bool HasRanges => true;

    public override bool OpensFile => true;

    public override void Prepare()
    {
        lock (_gate) Open();
    }

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        Prepare();
        var length = _length.GetValueOrDefault();
        var wanted = length == 0 ? buffer.Length : (int)Math.Clamp(length - offset, 0, buffer.Length);
        try
        {
            DiskFaults.Check(DiskCall.Read, _path);
            var read = wanted == 0 ? 0 : await RandomAccess.ReadAsync(_handle!, buffer[..wanted], offset, ct).ConfigureAwait(false);
            var status = FileStatus.Of(_handle!, _path);
            var isEnd = length == 0 || offset + read == length;
            if (read == 0 && length > 0 && wanted > 0 || isEnd && status.Length != length
                || isEnd && length > 0 && read > 0 && IsLonger(length))
            {
                throw new TransferException(TransferError.Integrity, $"{_path} changed its size while it was sent.");
            }
            if (status.Modified != _modified)
                throw new TransferException(TransferError.Integrity, $"{_path} was written to while it was sent.");
            return read;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", _path);
        }
    }

    public override ValueTask FinishAsync(long bytes) => ResetAsync();

    public override ValueTask AbandonAsync(TransferException? reason) => ResetAsync();

    public override ValueTask ResetAsync()
    {
        DiskFiles.Release(_handle);
        _handle = null;
        return default;
    }

    // The reported length may be less than the content's.
    private bool IsLonger(long length) => RandomAccess.Read(_handle!, stackalloc byte[1], length) > 0;

    private void Open()
    {
        if (_handle is not null) return;
        try
        {
            if (!LocalFileType.IsRegular(_path))
                throw new TransferException(TransferError.Unsupported, $"Cannot send {_path}: it is not a regular file.");
            // Other programs may go on writing (a log), or rename and delete: a changed length or time is found by each read.
            var handle = DiskFiles.Open(
                _path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete,
                FileOptions.Asynchronous | FileOptions.SequentialScan);
            var status = FileStatus.Of(handle, _path);
            var modified = status.Modified;
            if (_modified is { } before && before != modified)
            {
                handle.Dispose();
                throw new TransferException(TransferError.Integrity, $"{_path} was written to while it was sent.");
            }
            _length = status.Length;
            _modified = modified;
            _handle = handle;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", _path);
        }
    }
}
