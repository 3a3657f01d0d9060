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
            // Public halves may be open to all, and are refused for another reason.
            return await ReadAsync(path, (text, file) =>
            {
                if (!PublicKeyText.IsPublicKey(text)) KeyFilePermissions.Check(file, path);
            }, ct).ConfigureAwait(false);
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

    /// <summary>
    /// Reads the certificate beside a private key file (<c>PATH-cert.pub</c>); both null when there is no such file. The key is as good
    /// without a certificate that cannot be used: that is a problem to report, and no error.
    /// </summary>
    public static async ValueTask<(SshCertificate? Certificate, string? Problem)> ReadCertificateAsync(
        string keyPath, SshPublicKey key, CancellationToken ct)
    {
        var path = keyPath + "-cert.pub";
        if (!File.Exists(path)) return default;
        string problem;
        try
        {
            var found = await ReadBlobAsync(path, ct).ConfigureAwait(false);
            var certificate = found is { } read ? SshPublicKeys.Parse(read.Blob) as SshCertificate : null;
            if (certificate is not { Kind: SshCertificateKind.User }) problem = "The file holds no user certificate.";
            else if (!certificate.Key.Blob.Span.SequenceEqual(key.Blob.Span)) problem = "It belongs to another key.";
            else return (certificate, null);
        }
        catch (Exception error)
            when (error is TransferException or UnauthorizedAccessException or NotSupportedException or IOException)
        {
            problem = error.Message;
        }

        return (null, $"The certificate {path} cannot be used: {problem}");
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
        using var text = await ReadAsync(path, static (_, _) => { }, ct).ConfigureAwait(false);
        var fields = Encoding.UTF8.GetString(text.Span).Split((char[]?)null, 3, StringSplitOptions.RemoveEmptyEntries);
        return fields.Length >= 2 && PublicKeyText.TryDecode(fields[0], fields[1]) is { } blob ? (fields[0], blob) : null;
    }

    // A pipe is waited for, and no call of the system that waits for one can be cancelled: a thread is left behind.
    private static async ValueTask<SecretBytes> ReadAsync(string path, Check check, CancellationToken ct)
    {
        var reading = Task.Run(() => Read(path, check), ct);
        try
        {
            return await reading.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = reading.ContinueWith(static late => late.Result.Dispose(), CancellationToken.None,
                TaskContinuationOptions.OnlyOnRanToCompletion, TaskScheduler.Default);
            throw;
        }
    }

    private static SecretBytes Read(string path, Check check)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        // Pipes have no length, and devices none that is true.
        var length = file.CanSeek ? file.Length : 0;
        using var room = new SecretBytes(length is > 0 and <= MaximumSize ? (int)length : MaximumSize + 1);
        var read = file.ReadAtLeast(room.Span, room.Span.Length, throwOnEndOfStream: false);
        if (read > MaximumSize) throw new TransferException(TransferError.Protocol, $"{path} is too large for a key.");
        if (read < length) throw new TransferException(TransferError.Protocol, $"{path} was cut while it was read.");
        check(room.Span[..read], file.SafeFileHandle);
        var text = new SecretBytes(read);
        room.Span[..read].CopyTo(text.Span);
        return text;
    }

    private delegate void Check(ReadOnlySpan<byte> text, SafeFileHandle file);
}
