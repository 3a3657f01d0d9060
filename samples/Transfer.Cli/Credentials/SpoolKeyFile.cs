using Transfer.Batch;

namespace Transfer.Cli.Credentials;

/// <summary>Key files of spools. No message repeats anything of them.</summary>
internal sealed class SpoolKeyFile(SpoolPassphrase passphrases)
{
    private const int MaxLength = 64 * 1024;
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Others = ~(Private | UnixFileMode.UserExecute);

    /// <summary>Reads a private key or a shared one, with its passphrase where it needs one.</summary>
    public async ValueTask<SpoolKey> ReadAsync(string path, CancellationToken ct)
    {
        var bytes = await ReadBytesAsync(path, mustBePrivate: true, ct);
        var text = System.Text.Encoding.UTF8.GetString(bytes);
        var isEncrypted = text.Contains("-----BEGIN ENCRYPTED", StringComparison.Ordinal);
        if (!isEncrypted && passphrases.FileOption is { } option)
            throw new UsageException($"{path} is not encrypted, so {option} has nothing to open.");
        var passphrase = isEncrypted ? await passphrases.FindAsync(path, isNew: false, ct) : null;
        try
        {
            return SpoolKey.Parse(text, passphrase);
        }
        catch (TransferException e)
        {
            throw new UsageException($"{path}: {e.Message}");
        }
    }

    /// <summary>Reads a public key, which is given as it is or by a file that holds it.</summary>
    public static async ValueTask<SpoolPublicKey> ReadPublicAsync(string option, string text, CancellationToken ct)
    {
        var key = text.StartsWith("p256:", StringComparison.Ordinal) ? text
            : System.Text.Encoding.UTF8.GetString(await ReadBytesAsync(text, mustBePrivate: false, ct));
        try
        {
            return SpoolPublicKey.Parse(key);
        }
        catch (FormatException e)
        {
            throw new UsageException($"{option}: {e.Message}");
        }
    }

    /// <summary>Writes a new key file, for its user alone. One that exists is never touched.</summary>
    public static async ValueTask WriteAsync(string path, string text, CancellationToken ct)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = Private;
        await using var writer = new StreamWriter(path, options);
        await writer.WriteAsync((text.TrimEnd() + "\n").AsMemory(), ct);
    }

    private static async ValueTask<byte[]> ReadBytesAsync(string path, bool mustBePrivate, CancellationToken ct)
    {
        if (!File.Exists(path)) throw new UsageException($"There is no key file {path}.");
        await using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read);
        if (mustBePrivate && !OperatingSystem.IsWindows() && (File.GetUnixFileMode(file.SafeFileHandle) & Others) != 0)
            throw new UsageException($"{path} can be read by others than its owner: chmod 600 it, if nobody has.");
        if (file.Length > MaxLength) throw new UsageException($"{path} is too long to be a key file.");
        var bytes = new byte[file.Length];
        await file.ReadExactlyAsync(bytes, ct);
        return bytes;
    }
}
