using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>TLS handshakes of control and data connections (RFC 4217).</summary>
internal static class TlsHandshake
{
    /// <summary>Secures a control connection; the result's certificate has passed every check of the settings.</summary>
    /// <param name="raw">The connection.</param>
    /// <param name="settings">The settings.</param>
    /// <param name="host">The name for the server, and for its sessions.</param>
    /// <param name="foreign">The error where the server answers in clear text.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Tls"/>: a certificate or the handshake was refused. <see cref="TransferError.Lost"/>: cut off.
    /// </exception>
    public static async ValueTask<(TlsStream Stream, TlsIdentity Identity)> ControlAsync(
        WatchedStream raw, TlsSettings settings, TlsTargetHost host, TransferError foreign, CancellationToken ct)
    {
        var reuses = settings.ReuseSessions && host.IsExclusive;
        var check = new CertificateCheck(settings);
        var options = CreateOptions(settings, host.Name, reuses, check);
        if (settings.JudgesChain)
        {
            options.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = settings.Authorities.Count > 0 ? X509ChainTrustMode.CustomRootTrust : X509ChainTrustMode.System,
                RevocationMode = settings.RevocationMode,
                // The chain is built before its judgement: any peer could have this machine fetch an address, within its own network too.
                DisableCertificateDownloads = true,
            };
            options.CertificateChainPolicy.CustomTrustStore.AddRange(settings.Authorities);
        }
        try
        {
            var stream = await AuthenticateAsync(raw, options, check, foreign, ct).ConfigureAwait(false);
            return (stream, new TlsIdentity(settings, host.Name, reuses, check.Hash!));
        }
        catch (TransferException e) when (host.IsSynthetic && e.Error == TransferError.Tls && check.Refusal is null
            && e.InnerException is not TlsVersionException)
        {
            // Perhaps the server dislikes the name: the next attempt goes without.
            TlsTargetHosts.Shared.RefuseSynthetic(settings.ServerName);
            throw new TransferException(TransferError.Tls, e.Message, e.InnerException) { IsTransient = true };
        }
        catch (TransferException e) when (!host.IsExclusive && e.Error == TransferError.Tls && check.Refusal is null)
        {
            TlsTargetHosts.Shared.AllowSynthetic(settings.ServerName);
            throw;
        }
    }

    /// <summary>
    /// Secures a data connection: resumes the control connection's session if possible, and accepts only that certificate.
    /// </summary>
    /// <exception cref="TransferException">As for control connections.</exception>
    public static async ValueTask<TlsStream> DataAsync(WatchedStream raw, TlsIdentity identity, CancellationToken ct)
    {
        var check = new CertificateCheck(identity.Settings, identity.CertificateHash);
        var options = CreateOptions(identity.Settings, identity.TargetHost, identity.Reuses, check);

        // The chain was judged on the control connection. Here that would cost milliseconds, or even downloads, a file: the policy stays.
        // A server that protects its control connection speaks TLS: the lack of it here is a matter of settings.
        return await AuthenticateAsync(raw, options, check, TransferError.Tls, ct).ConfigureAwait(false);
    }

    /// <summary>
    /// Makes options that judge no chain, without a cipher policy and a certificate selection callback: either turns resumption off.
    /// </summary>
    private static SslClientAuthenticationOptions CreateOptions(TlsSettings settings, string targetHost, bool reuses,
        CertificateCheck check) => new()
        {
            TargetHost = targetHost,
            EnabledSslProtocols = settings.Enabled,
            ClientCertificateContext = settings.ClientCertificate,
            RemoteCertificateValidationCallback = check.Validate,
            AllowTlsResume = reuses,
            CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                VerificationFlags = X509VerificationFlags.AllFlags,
                RevocationMode = X509RevocationMode.NoCheck,
                DisableCertificateDownloads = true,
            },
        };

    private static async ValueTask<TlsStream> AuthenticateAsync(
        WatchedStream raw, SslClientAuthenticationOptions options, CertificateCheck check, TransferError foreign, CancellationToken ct)
    {
        raw.KeepStart();
        var stream = new TlsStream(raw, leaveInnerStreamOpen: true);
        try
        {
            await stream.AuthenticateAsClientAsync(options, ct).ConfigureAwait(false);

            // Resumed or not: the certificate that the stream now stands for decides.
            var hash = SHA256.HashData(stream.RemoteCertificate?.GetRawCertData() ?? []);
            if (check.Hash is null || !CryptographicOperations.FixedTimeEquals(hash, check.Hash))
                throw new AuthenticationException("The certificate was not checked.");
            return stream;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (Translate(e, raw, check, foreign) is { } translated)
                throw translated;
            throw;
        }
    }

    private static TransferException? Translate(Exception e, WatchedStream raw, CertificateCheck check, TransferError foreign) => e switch
    {
        _ when check.Refusal is { } refusal =>
            new TransferException(TransferError.Tls, $"The server's certificate was refused: {refusal}.{KeyOf(check)}",
                new CertificateRefusedException(e)),
        AuthenticationException or IOException when ForeignStart.Describe(raw.Start) is { } came =>
            new TransferException(foreign, $"The server does not begin with TLS: {came}.", e),
        AuthenticationException or IOException when TlsVersionException.IsAnswer(raw.Start, check.Offered) =>
            new TransferException(TransferError.Tls, $"The TLS handshake failed: the server refuses what was offered ({check.Offered}). "
                + "--tls-min and --tls-max (FtpTlsOptions.Protocols) offer other versions.", new TlsVersionException(check.Offered, e)),
        // The system judges the chain and the names before the check does: what it can't read is refused, too.
        AuthenticationException or CryptographicException =>
            new TransferException(TransferError.Tls, $"The TLS handshake failed: {e.GetBaseException().Message}", e),
        IOException when raw.SawEnd =>
            new TransferException(TransferError.Lost, "The server closed the connection during the TLS handshake.", e),
        IOException => new TransferException(TransferError.Lost, "The connection was lost during the TLS handshake.", e),
        _ => null,
    };

    // For a person to compare, and then to pin.
    private static string KeyOf(CertificateCheck check) => check.Key is { } key
        ? $" Its key is SHA256:{key}: --pin (FtpTlsOptions.Pins) trusts that key, --ca-file (Authorities) this certificate, or an "
            + "authority's."
        : string.Empty;
}
