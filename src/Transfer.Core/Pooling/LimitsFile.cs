using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Pooling;

/// <summary>
/// Remembers in a small file how many sessions servers allow, and what providers found out about servers (<see cref="LimitsContent"/>).
/// These are hints: read and write errors are logged and fail nothing, and the last of several writers wins. Only the user has access to
/// the file. Thread-safe.
/// </summary>
internal sealed class LimitsFile(string path, TimeProvider time, ILogger logger)
{
    /// <summary>The age at which a line is forgotten: the server may have been set up anew.</summary>
    public static readonly TimeSpan KeptFor = TimeSpan.FromDays(7);

    /// <summary>The most lines in the file; those learned last are kept.</summary>
    public const int MostServers = 256;

    private const int MostBytes = 64 << 10;
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // Within one process nothing is lost when a copy learns the limits of two servers at the same time.
    private static readonly Lock Writing = new();

    /// <summary>Returns a key for a server and a user that does not reveal them.</summary>
    public static string KeyOf(Uri endpoint, string? user) =>
        Convert.ToHexStringLower(
            SHA256.HashData(Encoding.UTF8.GetBytes($"{endpoint.Scheme}\n{endpoint.IdnHost}\n{endpoint.Port}\n{user}"))
                .AsSpan(0, LimitsContent.KeyLength / 2));

    /// <summary>Whether anything was ever remembered.</summary>
    public bool IsThere => File.Exists(path);

    /// <summary>Returns the remembered limit; null: none, or too old.</summary>
    public RememberedLimit? Find(string key) =>
        Find<RememberedLimit>(content => content.Limits.TryGetValue(key, out var limit) ? limit : null);

    /// <summary>Returns the traits that a provider found out; null: none, or too old.</summary>
    public string? FindTraits(string key) =>
        Find<RememberedTraits>(content => content.Traits.TryGetValue(key, out var traits) ? traits : null)?.Text;

    /// <summary>Writes a limit; null: removes the entry.</summary>
    public void Remember(string key, RememberedLimit? limit) => Change(content =>
    {
        if (limit is { } learned) content.Limits[key] = learned;
        else content.Limits.Remove(key);
    });

    /// <summary>Writes the traits that a provider found out.</summary>
    public void Remember(string key, RememberedTraits traits) => Change(content => content.Traits[key] = traits);

    private T? Find<T>(Func<LimitsContent, T?> find)
        where T : struct
    {
        try
        {
            return find(Read());
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LimitsUnreadable(logger, path, e);
            return null;
        }
    }

    private void Change(Action<LimitsContent> change)
    {
        try
        {
            lock (Writing)
            {
                var content = Read();
                change(content);
                Write(content.Lines.Take(MostServers));
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LimitNotKept(logger, path, e);
        }
    }

    private LimitsContent Read()
    {
        var content = new LimitsContent();
        if (!File.Exists(path)) return content;
        if (!LocalFileType.IsRegular(path)) throw new IOException("Not a regular file.");
        var bytes = new byte[MostBytes];
        int length;
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
            length = RandomAccess.Read(handle, bytes, 0);

        var lines = Encoding.ASCII.GetString(bytes, 0, length).Split('\n');
        var now = time.GetUtcNow();
        // Text behind the last line end is the rest of a line that was cut off.
        var isWhole = lines[^1].Length == 0;
        foreach (var line in lines.AsSpan(0, lines.Length - 1))
            isWhole &= content.TryAdd(line, learned => (now - learned).Duration() < KeptFor);
        if (!isWhole) Log.LimitsGarbled(logger, path);
        return content;
    }

    private void Write(IEnumerable<string> lines)
    {
        var folder = Path.GetDirectoryName(path)!;
        if (OperatingSystem.IsWindows()) Directory.CreateDirectory(folder);
        else Directory.CreateDirectory(folder, Private | UnixFileMode.UserExecute);
        Sweep(folder);
        var temporary = $"{path}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}.tmp";
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = Private;
        var isMade = false;
        try
        {
            using (var writer = new StreamWriter(temporary, Encoding.ASCII, options))
            {
                isMade = true;
                foreach (var line in lines) writer.Write(line);
            }
            File.Move(temporary, path, overwrite: true);
        }
        catch
        {
            if (isMade) File.Delete(temporary);
            throw;
        }
    }

    // Deletes the leftovers of processes that were killed while writing.
    private void Sweep(string folder)
    {
        var old = time.GetUtcNow().UtcDateTime - KeptFor;
        foreach (var left in Directory.EnumerateFiles(folder, "*.tmp"))
        {
            if (left.StartsWith(path + ".", StringComparison.Ordinal) && File.GetLastWriteTimeUtc(left) < old) File.Delete(left);
        }
    }
}
