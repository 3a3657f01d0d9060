using System.Text;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch;
using Transfer.Local;

namespace Transfer.PowerShell.Clients;

/// <summary>Key files of spools. No message repeats anything of their content.</summary>
public static class SpoolKeyFile
{
    /// <summary>The prefix of a public key that is given as text instead of a file's path.</summary>
    public const string PublicPrefix = "p256:";

    private const int MaxLength = 64 * 1024;
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Others = ~(Private | UnixFileMode.UserExecute);

    /// <summary>Reads a private key or a shared key.</summary>
    /// <param name="path">The file.</param>
    /// <param name="passphrase">The passphrase of an encrypted private key; null: none was given.</param>
    /// <exception cref="ArgumentException">The key is encrypted and no passphrase was given, or the other way round.</exception>
    /// <exception cref="TransferException">
    /// The file cannot be read, or users other than its owner can read the file (<see cref="TransferError.Denied"/>); the file holds no
    /// key, or the passphrase is wrong (<see cref="TransferError.Auth"/>).
    /// </exception>
    public static SpoolKey Read(string path, string? passphrase)
    {
        var text = ReadText(path, mustBePrivate: true);
        var isEncrypted = text.Contains("-----BEGIN ENCRYPTED", StringComparison.Ordinal);
        if (isEncrypted && passphrase is null) throw new ArgumentException($"The key {path} is encrypted: give its Passphrase.");
        if (!isEncrypted && passphrase is not null) throw new ArgumentException($"The key {path} is not encrypted, and has no passphrase.");
        try
        {
            return SpoolKey.Parse(text, passphrase);
        }
        catch (TransferException e)
        {
            throw new TransferException(e.Error, $"{path}: {e.Message}", e);
        }
    }

    /// <summary>Reads a public key.</summary>
    /// <param name="text">The key as text, <c>p256:…</c>, or the path of a file that holds the key.</param>
    /// <exception cref="ArgumentException">The text or file is no public key.</exception>
    /// <exception cref="TransferException">The file cannot be read.</exception>
    public static SpoolPublicKey ReadPublic(string text)
    {
        try
        {
            return SpoolPublicKey.Parse(
                text.StartsWith(PublicPrefix, StringComparison.Ordinal) ? text : ReadText(text, mustBePrivate: false));
        }
        catch (FormatException e)
        {
            throw new ArgumentException($"{text}: {e.Message}", e);
        }
    }

    /// <summary>Writes a new key file, which only its user can read; on Windows the file has its folder's rights.</summary>
    /// <param name="path">The file.</param>
    /// <param name="key">The key.</param>
    /// <param name="passphrase">Encrypts a private key; null: the key is not encrypted.</param>
    /// <exception cref="TransferException">The file exists (<see cref="TransferError.Exists"/>), or cannot be written.</exception>
    public static void Write(string path, SpoolKey key, string? passphrase)
    {
        ArgumentNullException.ThrowIfNull(key);
        var text = passphrase is null ? key.ToText() : key.ToText(passphrase);
        if (FileStatus.TryFind(path, follow: false) is not null)
            throw new TransferException(TransferError.Exists, $"{path} exists, and is left as it is.");
        try
        {
            using var file = DiskFiles.Open(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, permissions: Private);
            DiskFiles.Write(file, Encoding.UTF8.GetBytes(text.TrimEnd() + "\n"), 0, path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The key cannot be written:", path);
        }
    }

    private static string ReadText(string path, bool mustBePrivate)
    {
        try
        {
            using var file = DiskFiles.Open(path);
            if (mustBePrivate && !OperatingSystem.IsWindows() && (File.GetUnixFileMode(file) & Others) != 0)
            {
                throw new TransferException(TransferError.Denied,
                    $"{path} can be read by others than its owner: chmod 600 it, if no other has read it.");
            }

            return Read(file, path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The key cannot be read:", path);
        }
    }

    private static string Read(SafeFileHandle file, string path)
    {
        // One more than there may be.
        var (bytes, length) = (new byte[MaxLength + 1], 0);
        while (length < bytes.Length && DiskFiles.Read(file, bytes.AsSpan(length), length, path) is > 0 and var read) length += read;
        return length <= MaxLength
            ? Encoding.UTF8.GetString(bytes, 0, length) : throw new TransferException(TransferError.Auth,
                $"{path} is too long to be a key.");
    }
}
