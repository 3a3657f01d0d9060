using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Pooling;

/// <summary>
/// Remembers in a small file how many sessions servers allow. A line holds a hash of server and user, the number, and the time of learning
/// in seconds since 1970. These are hints: read and write errors are logged and fail nothing, and the last of several writers wins. Only
/// the user has access to the file. Thread-safe.
/// </summary>
internal sealed class LimitsFile(string path, TimeProvider time, ILogger logger)
{
    /// <summary>The age at which a limit is forgotten: the server may have been set up anew.</summary>
    public static readonly TimeSpan KeptFor = TimeSpan.FromDays(7);

    /// <summary>The most servers in the file; those learned last are kept.</summary>
    public const int MostServers = 256;

    private const int KeyLength = 32;
    private const int MostBytes = 64 << 10;
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    // Within one process nothing is lost when a copy learns the limits of two servers at the same time.
    private static readonly Lock Writing = new();

    /// <summary>Returns a key for a server and a user that does not reveal them.</summary>
    public static string KeyOf(Uri endpoint, string? user) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{endpoint.Scheme}\n{endpoint.IdnHost}\n{endpoint.Port}\n{user}")).AsSpan(0, KeyLength / 2));

    /// <summary>Whether any limit was ever remembered.</summary>
    public bool IsThere => File.Exists(path);

    /// <summary>Returns the remembered limit; null: none, or too old.</summary>
    public RememberedLimit? Find(string key)
    {
        try
        {
            return Read().TryGetValue(key, out var limit) ? limit : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LimitsUnreadable(logger, path, e);
            return null;
        }
    }

    /// <summary>Writes a limit; null: removes the entry.</summary>
    public void Remember(string key, RememberedLimit? limit)
    {
        try
        {
            lock (Writing)
            {
                var limits = Read();
                if (limit is { } learned) limits[key] = learned;
                else limits.Remove(key);
                Write(limits.OrderByDescending(one => one.Value.Learned).Take(MostServers));
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LimitNotKept(logger, path, e);
        }
    }

    private Dictionary<string, RememberedLimit> Read()
    {
        var limits = new Dictionary<string, RememberedLimit>(StringComparer.Ordinal);
        if (!File.Exists(path)) return limits;
        if (!LocalFileType.IsRegular(path)) throw new IOException("Not a regular file.");
        var bytes = new byte[MostBytes];
        int length;
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete)) length = RandomAccess.Read(handle, bytes, 0);

        var lines = Encoding.ASCII.GetString(bytes, 0, length).Split('\n');
        var now = time.GetUtcNow();
        // Text behind the last line end is the rest of a line that was cut off.
        var isWhole = lines[^1].Length == 0;
        foreach (var line in lines.AsSpan(0, lines.Length - 1))
        {
            if (!TryParse(line, out var key, out var limit)) isWhole = false;
            else if ((now - limit.Learned).Duration() < KeptFor) limits[key] = limit;
        }
        if (!isWhole) Log.LimitsGarbled(logger, path);
        return limits;
    }

    private static bool TryParse(string line, out string key, out RememberedLimit limit)
    {
        var parts = line.Split(' ');
        key = parts[0];
        limit = default;
        if (parts.Length != 3 || key.Length != KeyLength || !key.All(char.IsAsciiHexDigitLower)) return false;
        if (!int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var sessions) || sessions == 0) return false;
        if (!uint.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        limit = new RememberedLimit(sessions, DateTimeOffset.FromUnixTimeSeconds(seconds));
        return true;
    }

    private void Write(IEnumerable<KeyValuePair<string, RememberedLimit>> limits)
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
                foreach (var (key, limit) in limits) writer.Write(string.Create(CultureInfo.InvariantCulture, $"{key} {limit.Sessions} {limit.Learned.ToUnixTimeSeconds()}\n"));
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
