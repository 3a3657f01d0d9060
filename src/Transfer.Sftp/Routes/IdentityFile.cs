using Microsoft.Extensions.Logging;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Files;

namespace Transfer.Sftp.Routes;

/// <summary>
/// A private key file that a configuration names, read when a log-in first needs the key. Of an encrypted file the public half is offered
/// to the server; the passphrase is requested when the server takes the key, once in the client's life.
/// </summary>
/// <param name="path">The path of the file.</param>
/// <param name="isNamed">Whether the caller named the file: a warning reports a key that cannot be opened.</param>
/// <param name="interaction">Asks for the passphrase; null: nobody can be asked.</param>
/// <param name="logger">The log.</param>
internal sealed class IdentityFile(string path, bool isNamed, SshInteraction? interaction, ILogger logger) : IDisposable
{
    private const int MostTries = 3;

    private readonly SemaphoreSlim _turn = new(1);
    private SshIdentity? _identity;
    private IReadOnlyList<ISshSigner>? _signers;
    private IReadOnlyList<SshPublicKey> _keys = [];
    private TransferException? _openError;

    /// <summary>
    /// Returns the public keys in or beside the file, certificates first, which select an agent's keys, and the signers of the file
    /// itself.
    /// </summary>
    public async ValueTask<(IReadOnlyList<SshPublicKey> Keys, IReadOnlyList<ISshSigner> Signers)> ReadPublicAsync(CancellationToken ct)
    {
        await _turn.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            _signers ??= await FindAsync(ct).ConfigureAwait(false);
            return (_keys, _signers);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Opens the key, with a prompt for the passphrase where needed.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: no passphrase, or no right one; there is no second prompt. Further errors as for
    /// <see cref="SshIdentity"/>.
    /// </exception>
    public async ValueTask<SshIdentity> OpenAsync(CancellationToken ct)
    {
        await _turn.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_openError is not null) throw new TransferException(_openError.Error, _openError.Message, _openError);
            return _identity ??= await PromptAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            if (_openError is null && isNamed) Log.IdentitySkipped(logger, e.Message);
            _openError ??= e;
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose()
    {
        _identity?.Dispose();
        _turn.Dispose();
    }

    private async ValueTask<IReadOnlyList<ISshSigner>> FindAsync(CancellationToken ct)
    {
        try
        {
            return Take(await SshIdentity.FromFileAsync(path, passphrase: (string?)null, ct).ConfigureAwait(false));
        }
        catch (TransferException e) when (e.Error == TransferError.Auth)
        {
            return await FindEncryptedAsync(e, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            // The private half may be the agent's alone: then the configuration names the public file, or has one beside the path.
            var key = await KeyFiles.ReadPublicAsync(path, ct).ConfigureAwait(false) ?? await KeyFiles.ReadPublicAsync(path + ".pub",
                ct).ConfigureAwait(false);
            if (key is not null) _keys = [key];
            else if (e.Error == TransferError.NotFound) Log.IdentityAbsent(logger, path);
            else Log.IdentitySkipped(logger, e.Message);
            return [];
        }
    }

    private async ValueTask<IReadOnlyList<ISshSigner>> FindEncryptedAsync(TransferException encrypted, CancellationToken ct)
    {
        try
        {
            if (await ReadPublicHalfAsync(ct).ConfigureAwait(false) is { } key)
            {
                var (certificate, problem) = await KeyFiles.ReadCertificateAsync(path, key, ct).ConfigureAwait(false);
                if (problem is not null) Log.CertificateSkipped(logger, problem);
                _keys = certificate is null ? [key] : [certificate, key];
                var description = problem is null ? path : $"{path}: {problem}";
                return [.. _keys.Select(shown => new IdentityFileSigner(this, shown, description))];
            }

            // No public half: the file must be opened for the key.
            return Take(await PromptAsync(ct).ConfigureAwait(false));
        }
        catch (TransferException e)
        {
            if (interaction is null && !isNamed) Log.EncryptedIdentitySkipped(logger, encrypted.Message);
            else Log.IdentitySkipped(logger, e.Message);
            return [];
        }
    }

    private IReadOnlyList<ISshSigner> Take(SshIdentity identity)
    {
        _identity = identity;
        _keys = [.. identity.Signers.Select(signer => signer.PublicKey)];
        if (identity.CertificateProblem is { } problem) Log.CertificateSkipped(logger, problem);
        return identity.Signers;
    }

    private async ValueTask<SshPublicKey?> ReadPublicHalfAsync(CancellationToken ct)
    {
        using var text = await KeyFiles.ReadPrivateAsync(path, ct).ConfigureAwait(false);
        using var file = PrivateKeyFile.Find(text.Span);
        return file.PublicKey ?? await KeyFiles.ReadPublicAsync(path + ".pub", ct).ConfigureAwait(false);
    }

    private async ValueTask<SshIdentity> PromptAsync(CancellationToken ct)
    {
        if (interaction is null)
            throw new TransferException(TransferError.Auth, $"{path} is encrypted, and nobody is there to be asked for its passphrase.");
        for (var tried = 1; ; tried++)
        {
            var prompt = tried == 1 ? $"Passphrase for {path}:" : $"Passphrase for {path} (try {tried} of {MostTries}):";
            var questions = new SshQuestions { Name = "", Instruction = "", Prompts = [new SshPrompt { Text = prompt, Echo = false }] };
            if (await interaction(questions, ct).ConfigureAwait(false) is not [var passphrase])
                throw new TransferException(TransferError.Auth, $"{path} is encrypted, and no passphrase was given.");
            try
            {
                return await SshIdentity.FromFileAsync(path, passphrase, ct).ConfigureAwait(false);
            }
            catch (TransferException e) when (e.Error == TransferError.Auth && tried < MostTries)
            {
                Log.PassphraseWrong(logger, path);
            }
        }
    }
}
