using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Files;

namespace Transfer.Sftp;

/// <summary>
/// A private key to log in with: Ed25519, ECDSA over the NIST curves, or RSA from 2,048 bits. Read from OpenSSH's format, PKCS #8 (both
/// also encrypted), PKCS #1 or SEC 1. Thread-safe; several clients may share one. Disposal zeroes the key and ends its use.
/// </summary>
public sealed class SshIdentity : IDisposable
{
    /// <summary>OpenSSH's default files, best first.</summary>
    internal static readonly string[] DefaultNames = ["id_ed25519", "id_ecdsa", "id_rsa"];

    private readonly SshPrivateKey _key;

    private SshIdentity(SshPrivateKey key, string description, string comment, SshCertificate? certificate = null, string? problem = null)
    {
        _key = key;
        Comment = comment;
        CertificateProblem = problem;
        Signers = certificate is null
            ? [new KeySigner(key, key.PublicKey, problem is null ? description : $"{description}: {problem}")]
            : [new KeySigner(key, certificate, description), new KeySigner(key, key.PublicKey, description)];
    }

    /// <summary>The type of the key, for example <c>ssh-ed25519</c>.</summary>
    public string KeyType => _key.PublicKey.Type;

    /// <summary>The public key's fingerprint as in OpenSSH: <c>SHA256:</c> and base64 without padding.</summary>
    public string Fingerprint => _key.PublicKey.Fingerprint;

    /// <summary>The comment in the file; empty when there is none.</summary>
    public string Comment { get; }

    /// <summary>True when a certificate goes with the key.</summary>
    public bool HasCertificate => Signers.Count > 1;

    /// <summary>Why the certificate beside the key's file is not used; null: there is none, or a good one.</summary>
    internal string? CertificateProblem { get; }

    /// <summary>The signers to offer the server, in order: the certificate if there is one, then the key itself.</summary>
    internal IReadOnlyList<ISshSigner> Signers { get; }

    /// <summary>
    /// Reads a key file that is not encrypted, or has a known passphrase. A certificate beside the file (<c>PATH-cert.pub</c>) is read with
    /// it; one that cannot be used, or belongs to another key, is left out, and a client's log has a warning.
    /// </summary>
    /// <param name="path">The private key's file.</param>
    /// <param name="passphrase">The passphrase; null when there is none. Ignored when the file is not encrypted.</param>
    /// <param name="cancellationToken">Cancels reading and decrypting.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.NotFound"/>: no such file; <see cref="TransferError.Denied"/>: not readable, or open to other users;
    /// <see cref="TransferError.Auth"/>: the passphrase is missing or wrong; <see cref="TransferError.Protocol"/>: no private key, or
    /// damaged; <see cref="TransferError.Unsupported"/>: a format, cipher or kind of key that is not supported.
    /// </exception>
    public static ValueTask<SshIdentity> FromFileAsync(string path, string? passphrase = null,
        CancellationToken cancellationToken = default) =>
        FromFileAsync(path, (_, _) => ValueTask.FromResult(passphrase), cancellationToken);

    /// <summary>Reads a key file; the passphrase is requested only when the file is encrypted.</summary>
    /// <param name="path">The private key's file.</param>
    /// <param name="passphrase">Returns the passphrase for the path; null when there is none.</param>
    /// <param name="cancellationToken">Cancels reading, the request and decrypting.</param>
    /// <exception cref="TransferException">As for the other form.</exception>
    public static async ValueTask<SshIdentity> FromFileAsync(string path, Func<string, CancellationToken, ValueTask<string?>> passphrase,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(passphrase);
        using var text = await KeyFiles.ReadPrivateAsync(path, cancellationToken).ConfigureAwait(false);
        var (key, comment) = await ReadAsync(text, path, passphrase, cancellationToken).ConfigureAwait(false);
        try
        {
            var (certificate, problem) = await KeyFiles.ReadCertificateAsync(path, key.PublicKey, cancellationToken).ConfigureAwait(false);
            return new SshIdentity(key, path, comment, certificate, problem);
        }
        catch
        {
            key.Dispose();
            throw;
        }
    }

    /// <summary>Reads a key from the text of a key file, for keys in a secret store.</summary>
    /// <param name="text">The text of a key file.</param>
    /// <param name="passphrase">The passphrase; null when there is none.</param>
    /// <param name="cancellationToken">Cancels decrypting.</param>
    /// <exception cref="TransferException">As for <see cref="FromFileAsync(string, string?, CancellationToken)"/>.</exception>
    public static async ValueTask<SshIdentity> FromTextAsync(string text, string? passphrase = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(text);
        using var bytes = SecretBytes.FromText(text);
        const string description = "The given key";
        var (key, comment) = await ReadAsync(bytes, description, (_, _) => ValueTask.FromResult(passphrase),
            cancellationToken).ConfigureAwait(false);
        return new SshIdentity(key, description, comment);
    }

    /// <summary>
    /// Reads OpenSSH's default keys, as far as they exist: <c>id_ed25519</c>, <c>id_ecdsa</c> and <c>id_rsa</c>. An encrypted or unusable
    /// key is skipped, with the reason in the log.
    /// </summary>
    /// <param name="directory">The folder of the keys; null: <c>~/.ssh</c>.</param>
    /// <param name="logger">Receives the skipped keys: encrypted ones as Debug, as an agent may hold them, others as Warning.</param>
    /// <param name="cancellationToken">Cancels reading.</param>
    /// <returns>The keys, which the caller disposes of; perhaps none.</returns>
    public static async ValueTask<IReadOnlyList<SshIdentity>> LoadDefaultsAsync(string? directory = null, ILogger? logger = null,
        CancellationToken cancellationToken = default)
    {
        directory ??= Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), SshFolders.InHome);
        var identities = new List<SshIdentity>();
        foreach (var name in DefaultNames)
        {
            try
            {
                identities.Add(
                    await FromFileAsync(Path.Combine(directory, name), passphrase: (string?)null, cancellationToken).ConfigureAwait(false));
            }
            catch (TransferException error) when (error.Error != TransferError.NotFound)
            {
                if (error.Error == TransferError.Auth) Log.EncryptedIdentitySkipped(logger ?? NullLogger.Instance, error.Message);
                else Log.IdentitySkipped(logger ?? NullLogger.Instance, error.Message);
            }
            catch (TransferException)
            {
                // Most users have at most one of these files.
            }
        }

        return identities;
    }

    /// <summary>The type and the fingerprint, nothing secret.</summary>
    public override string ToString() => $"{KeyType} {Fingerprint}";

    /// <inheritdoc/>
    public void Dispose() => _key.Dispose();

    private static async ValueTask<(SshPrivateKey Key, string Comment)> ReadAsync(
        SecretBytes text, string description, Func<string, CancellationToken, ValueTask<string?>> passphrase, CancellationToken ct)
    {
        try
        {
            using var file = PrivateKeyFile.Find(text.Span);
            string? secret = null;
            if (file.IsEncrypted)
            {
                file.CheckCipher();
                secret = await passphrase(description, ct).ConfigureAwait(false)
                    ?? throw new TransferException(TransferError.Auth, "The key is encrypted, and there is no passphrase.");
            }

            // bcrypt takes a good part of a second on purpose: not on the caller's thread.
            return await Task.Run(() => Decode(file, secret, ct), ct).ConfigureAwait(false);
        }
        catch (TransferException error)
        {
            throw new TransferException(error.Error, $"{description}: {error.Message}", error.InnerException);
        }
    }

    private static (SshPrivateKey Key, string Comment) Decode(PrivateKeyFile file, string? passphrase, CancellationToken ct)
    {
        using var bytes = SecretBytes.FromText(passphrase);
        return file.Decode(bytes.Span, ct);
    }
}
