using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Local;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>A known_hosts file on the disk, read anew each time, as other programs write the file, too.</summary>
internal static class KnownHostsFile
{
    /// <summary>Tens of thousands of hosts; more is a mistake.</summary>
    private const int MaximumSize = 16 * 1024 * 1024;

    /// <summary>One writer at a time in this process; between processes lines are short and written at once.</summary>
    private static readonly SemaphoreSlim Writing = new(1);

    /// <summary>The lines of pipes, which can be read once.</summary>
    private static readonly ConcurrentDictionary<string, List<KnownHost>> Pipes = new(StringComparer.Ordinal);

    /// <summary>
    /// Reads a pipe, which <see cref="Read(string, ILogger)"/> then knows. A pipe is waited for, and no call of the system that waits for
    /// one can be cancelled: a thread is left behind.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.HostKey"/>: the pipe cannot be read.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired.</exception>
    public static async ValueTask PrepareAsync(string path, ILogger logger, CancellationToken ct)
    {
        if (Pipes.ContainsKey(path) || !File.Exists(path)) return;
        if (FileStatus.Find(path, follow: true) is { IsRegular: false })
            await Task.Run(() => Read(path, logger), ct).WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Returns the lines of a file; none when there is no such file. Invalid lines are skipped with a warning.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.HostKey"/>: the file cannot be read. Going on without it could miss a revoked or changed key.
    /// </exception>
    public static List<KnownHost> Read(string path, ILogger logger)
    {
        try
        {
            if (Pipes.TryGetValue(path, out var before)) return before;
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            var hosts = Read(file, path, logger);
            return file.CanSeek ? hosts : Pipes.GetOrAdd(path, hosts);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return [];
        }
        catch (Exception error)
            when (error is UnauthorizedAccessException or NotSupportedException or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.HostKey, $"The known hosts in {path} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>Parses the text of a file.</summary>
    public static List<KnownHost> Parse(TextReader text, string path, ILogger logger)
    {
        var hosts = new List<KnownHost>();
        for (var number = 1; text.ReadLine() is { } line; number++)
        {
            line = line.Trim();
            if (line.Length == 0 || line[0] == '#') continue;
            if (KnownHost.Parse(line, $"{path}:{number}") is { } host) hosts.Add(host);
            else Log.KnownHostSkipped(logger, path, number);
        }

        return hosts;
    }

    /// <summary>
    /// Adds a line if <paramref name="stillNew"/> accepts the file's present content: another connection may have been first. An absent
    /// folder or file is created for this user alone.
    /// </summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be written.</exception>
    public static async ValueTask AppendAsync(string path, string line, Func<IReadOnlyList<KnownHost>, bool> stillNew, ILogger logger,
        CancellationToken ct)
    {
        await Writing.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            CreateFolder(Path.GetDirectoryName(Path.GetFullPath(path))!);
            var options = new FileStreamOptions
            {
                Mode = FileMode.OpenOrCreate,
                Access = FileAccess.ReadWrite,
                Share = FileShare.ReadWrite | FileShare.Delete,
                BufferSize = 0
            };
            if (!OperatingSystem.IsWindows()) options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            var file = new FileStream(path, options);
            await using (file.ConfigureAwait(false))
            {
                if (!file.CanSeek) throw new NotSupportedException($"{path} is a pipe.");
                if (!stillNew(Read(file, path, logger))) return;
                await file.WriteAsync(Encoding.UTF8.GetBytes(EndsLine(file) ? line + "\n" : "\n" + line + "\n"), ct).ConfigureAwait(false);
            }
        }
        finally
        {
            Writing.Release();
        }
    }

    private static List<KnownHost> Read(FileStream file, string path, ILogger logger)
    {
        // Pipes have no length, and devices none that is true.
        using var content = new MemoryStream();
        var part = new byte[16 * 1024];
        for (int read; (read = file.Read(part)) > 0;)
        {
            content.Write(part, 0, read);
            if (content.Length > MaximumSize)
                throw new TransferException(TransferError.HostKey, $"{path} is too large for a file of known hosts.");
        }

        content.Position = 0;
        using var text = new StreamReader(content, Encoding.UTF8);
        return Parse(text, path, logger);
    }

    /// <summary>True at the start of a line; leaves the position at the file's end.</summary>
    private static bool EndsLine(FileStream file)
    {
        if (file.Length == 0) return true;
        file.Seek(-1, SeekOrigin.End);
        return file.ReadByte() == '\n';
    }

    private static void CreateFolder(string path)
    {
        if (Directory.Exists(path)) return;
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(path);
        else Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }
}
