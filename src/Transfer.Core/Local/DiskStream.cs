using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>A file as a stream without a buffer, with calls that <see cref="DiskFaults"/> can have fail.</summary>
internal sealed class DiskStream : FileStream
{
    private readonly string _path;

    /// <param name="handle">The open file, which closes with the stream.</param>
    /// <param name="access">Reading, writing or both.</param>
    /// <param name="path">The file's path.</param>
    public DiskStream(SafeFileHandle handle, FileAccess access, string path)
        : base(handle, access, 0, handle.IsAsync) => _path = path;

    public override int Read(Span<byte> buffer)
    {
        DiskFaults.Check(DiskCall.Read, _path);
        return base.Read(buffer);
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        DiskFaults.Check(DiskCall.Read, _path);
        return base.Read(buffer, offset, count);
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        DiskFaults.Check(DiskCall.Read, _path);
        return base.ReadAsync(buffer, cancellationToken);
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        DiskFaults.Check(DiskCall.Write, _path);
        base.Write(buffer);
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        DiskFaults.Check(DiskCall.Write, _path);
        base.Write(buffer, offset, count);
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        DiskFaults.Check(DiskCall.Write, _path);
        return base.WriteAsync(buffer, cancellationToken);
    }

    public override void SetLength(long value)
    {
        DiskFaults.Check(DiskCall.SetLength, _path);
        base.SetLength(value);
    }
}
