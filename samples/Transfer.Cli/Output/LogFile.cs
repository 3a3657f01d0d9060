using System.Text;
using System.Threading.Channels;
using Transfer.Local;

namespace Transfer.Cli.Output;

/// <summary>
/// A file that lines are appended to. Lines that are waiting leave together, under a lock: runs that share the file never mix their lines,
/// and a file that is renamed or truncated by a rotation is begun anew. A failing disk is reported once and tried again with each write,
/// and a line that could not be written as a whole leaves no part.
/// </summary>
internal sealed class LogFile : IAsyncDisposable
{
    private const int MostWaiting = 4096;
    private const int MostTogether = 64 * 1024;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly Channel<string> _lines =
        Channel.CreateBounded<string>(new BoundedChannelOptions(MostWaiting) { SingleReader = true });

    private readonly string _path;
    private readonly Action<string> _failed;
    private readonly Func<long, string> _gap;
    private readonly TimeProvider _time;
    private readonly Task _writing;
    private long _missing;

    /// <param name="path">The file, which is made where it does not exist.</param>
    /// <param name="failed">Receives the first failure.</param>
    /// <param name="gap">Makes the line that stands for lines that could not be written.</param>
    /// <param name="time">The clock of the wait for other runs.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The file cannot be written.</exception>
    public LogFile(string path, Action<string> failed, Func<long, string> gap, TimeProvider time)
    {
        (_path, _failed, _gap, _time) = (path, failed, gap, time);
        try
        {
            Open().Dispose();
        }
        catch (IOException e) when (LockedFile.IsTaken(e))
        {
            // Another run writes a line just now.
        }

        _writing = WriteAsync();
    }

    /// <summary>The number of lines that could not be written.</summary>
    public long Lost { get; private set; }

    /// <summary>Adds a line, with its end. Waits while the disk is far behind.</summary>
    public void Add(string line)
    {
        if (!_lines.Writer.TryWrite(line)) _lines.Writer.WriteAsync(line).AsTask().GetAwaiter().GetResult();
    }

    /// <summary>Writes the lines that are left.</summary>
    public async ValueTask DisposeAsync()
    {
        _lines.Writer.TryComplete();
        await _writing;
    }

    private async Task WriteAsync()
    {
        var text = new StringBuilder();
        while (await _lines.Reader.WaitToReadAsync())
        {
            text.Clear();
            var count = 0;
            if (_missing > 0) text.Append(_gap(_missing));
            for (; text.Length < MostTogether && _lines.Reader.TryRead(out var line); count++) text.Append(line);
            var isWritten = await TryAppendAsync(Encoding.UTF8.GetBytes(text.ToString()));
            _missing = isWritten ? 0 : _missing + count;
            if (!isWritten) Lost += count;
        }
    }

    private async Task<bool> TryAppendAsync(byte[] bytes)
    {
        try
        {
            await using var file = await OpenAsync();
            Append(file, bytes);
            return true;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            if (Lost == 0) _failed(LocalErrors.Describe(e));
            return false;
        }
    }

    private static void Append(FileStream file, byte[] bytes)
    {
        if (!file.CanSeek)
        {
            file.Write(bytes);
            return;
        }

        var end = file.Seek(0, SeekOrigin.End);
        try
        {
            file.Write(bytes);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            if (file.Length > end) file.SetLength(end);
            throw;
        }
    }

    private async ValueTask<FileStream> OpenAsync()
    {
        var started = _time.GetTimestamp();
        while (true)
        {
            try
            {
                return Open();
            }
            catch (IOException e) when (LockedFile.IsTaken(e) && _time.GetElapsedTime(started) < Patience)
            {
                await Task.Delay(Pause, _time);
            }
        }
    }

    // Readers may look on; Unix has an exclusive lock or none.
    private FileStream Open() => new(_path, FileMode.OpenOrCreate, FileAccess.Write,
        OperatingSystem.IsWindows() ? FileShare.Read : FileShare.None, bufferSize: 0);
}
