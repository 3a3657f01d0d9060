using System.Text.Json;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Local;

namespace Transfer.Plans;

/// <summary>Small files of a plan, whole or not at all, and the errors of files that cannot be used.</summary>
internal static class PlanFiles
{
    private const int LongestFile = 16 << 20;

    /// <summary>Writes a file whole, or leaves what was there.</summary>
    /// <exception cref="TransferException">The file cannot be written.</exception>
    public static void Write(string path, ReadOnlySpan<byte> json)
    {
        var temporary = $"{path}.{Guid.NewGuid():N}.tmp";
        try
        {
            var handle = DiskFiles.Open(temporary, FileMode.CreateNew, FileAccess.Write);
            try
            {
                DiskFiles.Write(handle, json, 0, temporary);
                DiskFiles.Write(handle, "\n"u8, json.Length, temporary);
                Disk.FlushFile(handle, temporary);
            }
            finally
            {
                Disk.Close(handle, temporary);
            }
            DiskFiles.Rename(temporary, path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            DiskFiles.Discard(temporary, NullLogger.Instance);
            throw LocalErrors.Map(e, "A file of a plan cannot be written:", path);
        }
    }

    /// <summary>Reads a file; null: there is none.</summary>
    /// <exception cref="TransferException">The file is not what its name promises, or cannot be read.</exception>
    public static async Task<byte[]?> ReadAsync(string path, CancellationToken ct)
    {
        try
        {
            var file = Open(path);
            await using var fileEnd = file.ConfigureAwait(false);
            if (file.Length > LongestFile) throw Torn(path, "the file is too long");
            var json = new byte[file.Length];
            await file.ReadExactlyAsync(json, ct).ConfigureAwait(false);
            return json;
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
        catch (EndOfStreamException e)
        {
            throw Torn(path, "the file became shorter", e);
        }
    }

    /// <summary>Opens a file for reading.</summary>
    /// <exception cref="TransferException">There is none, or it cannot be read.</exception>
    public static DiskStream Open(string path)
    {
        try
        {
            return new(DiskFiles.OpenSource(path), FileAccess.Read, path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "A file of a plan cannot be read:", path);
        }
    }

    /// <summary>Runs a reader of JSON, whose errors name the file.</summary>
    public static T Parse<T>(string path, Func<T?> read)
        where T : class
    {
        try
        {
            return read() ?? throw Torn(path, "an object is missing");
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or FormatException)
        {
            throw Torn(path, "there is text that is no such JSON", e);
        }
    }

    /// <summary>The error of a file that is torn, or of another kind.</summary>
    public static TransferException Torn(string path, string why, Exception? inner = null) =>
        new(TransferError.Integrity, $"{path} cannot be used: {why}.", inner) { IsTransient = false };

    /// <summary>Refuses a version that this release does not know.</summary>
    public static void CheckVersion(string path, int? version)
    {
        if (version == PlanHeader.CurrentVersion) return;
        throw new TransferException(TransferError.Unsupported,
            $"{path} has version {version}, and this release knows version {PlanHeader.CurrentVersion}.")
        { IsTransient = false };
    }
}
