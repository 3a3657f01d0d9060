using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Sftp.Keys.Files;

/// <summary>Reads key files, in full and within bounds.</summary>
internal static class KeyFiles
{
    /// <summary>A private RSA key of 16,384 bits takes 13 KiB.</summary>
    private const int MaximumSize = 256 * 1024;

    /// <summary>Reads the bytes of a private key file that only this user can read.</summary>
    /// <exception cref="TransferException">The file is absent, not readable, open to other users, or too large for a key.</exception>
    public static async ValueTask<SecretBytes> ReadPrivateAsync(string path, CancellationToken ct)
    {
        try
        {
            using var file = File.OpenHandle(path, options: FileOptions.Asynchronous);
            var text = await ReadAsync(file, path, ct).ConfigureAwait(false);
            try
            {
                // Public halves may be open to all, and are refused for another reason.
                if (!PublicKeyText.IsPublicKey(text.Span)) KeyFilePermissions.Check(file, path);
                return text;
            }
            catch
            {
                text.Dispose();
                throw;
            }
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new TransferException(TransferError.NotFound, $"There is no private key {path}.", error);
        }
        catch (Exception error)
            when (error is UnauthorizedAccessException or NotSupportedException or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.Denied, $"The private key {path} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>Reads the user certificate in a file; null when there is no such file.</summary>
    /// <exception cref="TransferException">The file holds no user certificate.</exception>
    public static async ValueTask<SshCertificate?> ReadCertificateAsync(string path, CancellationToken ct)
    {
        if (!File.Exists(path)) return null;
        try
        {
            if (await ReadBlobAsync(path, ct).ConfigureAwait(false) is { } found && KeyAlgorithms.IsCertificate(found.Algorithm)
                && SshPublicKeys.Parse(found.Blob) is SshCertificate { Kind: SshCertificateKind.User } certificate)
            {
                return certificate;
            }

            throw new TransferException(TransferError.Protocol, "not a user certificate.");
        }
        catch (TransferException error)
        {
            throw new TransferException(error.Error, $"The certificate {path} cannot be used: {error.Message}", error);
        }
        catch (Exception error) when (error is UnauthorizedAccessException or NotSupportedException or IOException)
        {
            throw new TransferException(TransferError.Denied, $"The certificate {path} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>The public key in a file such as <c>id_ed25519.pub</c>; null when there is none that can be read.</summary>
    public static async ValueTask<SshPublicKey?> ReadPublicAsync(string path, CancellationToken ct)
    {
        if (!File.Exists(path)) return null;
        try
        {
            return await ReadBlobAsync(path, ct).ConfigureAwait(false) is { } found ? SshPublicKeys.Parse(found.Blob) : null;
        }
        catch (Exception error) when (error is UnauthorizedAccessException or NotSupportedException or IOException)
        {
            // The private key's own error is the one to report.
            return null;
        }
    }

    // A line of "algorithm blob comment"; null when the file begins with another.
    private static async ValueTask<(string Algorithm, byte[] Blob)?> ReadBlobAsync(string path, CancellationToken ct)
    {
        using var file = File.OpenHandle(path, options: FileOptions.Asynchronous);
        using var text = await ReadAsync(file, path, ct).ConfigureAwait(false);
        var fields = Encoding.UTF8.GetString(text.Span).Split((char[]?)null, 3, StringSplitOptions.RemoveEmptyEntries);
        return fields.Length >= 2 && PublicKeyText.TryDecode(fields[0], fields[1]) is { } blob ? (fields[0], blob) : null;
    }

    private static async ValueTask<SecretBytes> ReadAsync(SafeFileHandle file, string path, CancellationToken ct)
    {
        var length = RandomAccess.GetLength(file);
        if (length > MaximumSize) throw new TransferException(TransferError.Protocol, $"{path} is too large for a key.");
        var bytes = new SecretBytes((int)length);
        for (var at = 0; at < length;)
        {
            var read = await RandomAccess.ReadAsync(file, bytes.Memory[at..], at, ct).ConfigureAwait(false);
            if (read == 0) throw new TransferException(TransferError.Protocol, $"{path} was cut while it was read.");
            at += read;
        }

        return bytes;
    }
}
