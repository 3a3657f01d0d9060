using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Ftp.Protocol;

/// <summary>Describes the faults of a certificate in words, so that a user can distinguish an expired one from an attack.</summary>
internal static class CertificateProblem
{
    private const int MostNamesShown = 5;

    /// <summary>The problems as clauses, joined.</summary>
    public static string Describe(X509Certificate2 certificate, X509Chain? chain, SslPolicyErrors errors, string serverName)
    {
        List<string> problems = [];
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
            problems.Add($"it is for {Names(certificate)}, not for {serverName}");
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors))
            problems.AddRange(ChainProblems(certificate, chain));
        return problems.Count == 0 ? "it has no fault the system knows" : string.Join("; ", problems);
    }

    private static IEnumerable<string> ChainProblems(X509Certificate2 certificate, X509Chain? chain)
    {
        var all = chain is null
            ? X509ChainStatusFlags.NoError : chain.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, (sum, s) => sum | s.Status);
        if (all == X509ChainStatusFlags.NoError)
            yield return "its chain could not be checked";

        if (all.HasFlag(X509ChainStatusFlags.NotTimeValid))
        {
            var now = chain!.ChainPolicy.VerificationTime;
            yield return now > certificate.NotAfter ? $"it expired on {Date(certificate.NotAfter)}"
                : now < certificate.NotBefore ? $"it is not valid before {Date(certificate.NotBefore)}"
                : "a certificate of its chain has expired or is not valid yet";
        }

        if (all.HasFlag(X509ChainStatusFlags.Revoked))
            yield return "it was revoked";
        if ((all & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain)) != 0)
        {
            yield return certificate.SubjectName.RawData.AsSpan().SequenceEqual(certificate.IssuerName.RawData)
                ? "it is self-signed" : "no authority that this system trusts has issued it"
                + (all.HasFlag(X509ChainStatusFlags.PartialChain) ? ", or the server does not send the certificates in between" : "");
        }

        if ((all & (X509ChainStatusFlags.RevocationStatusUnknown | X509ChainStatusFlags.OfflineRevocation)) != 0)
            yield return "its revocation can't be checked";

        const X509ChainStatusFlags Said = X509ChainStatusFlags.NotTimeValid | X509ChainStatusFlags.Revoked
            | X509ChainStatusFlags.UntrustedRoot
            | X509ChainStatusFlags.PartialChain | X509ChainStatusFlags.RevocationStatusUnknown | X509ChainStatusFlags.OfflineRevocation;
        if ((all & ~Said) != 0)
            yield return $"its chain is not valid ({all & ~Said})";
    }

    /// <summary>Whether a certificate is for a host. Names that can't be read are for none.</summary>
    public static bool IsFor(X509Certificate2 certificate, string host)
    {
        try
        {
            return certificate.MatchesHostname(host);
        }
        catch (CryptographicException)
        {
            // The platform reads the names late: the handshake has accepted a certificate whose names are malformed.
            return false;
        }
    }

    private static string Names(X509Certificate2 certificate)
    {
        try
        {
            return ReadNames(certificate);
        }
        catch (CryptographicException)
        {
            return "names that can't be read";
        }
    }

    private static string ReadNames(X509Certificate2 certificate)
    {
        var names = certificate.Extensions.OfType<X509SubjectAlternativeNameExtension>()
            .SelectMany(e => e.EnumerateDnsNames().Concat(e.EnumerateIPAddresses().Select(a => a.ToString())))
            .ToList();
        if (names.Count == 0)
            names.Add(certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false));
        var shown = string.Join(", ", names.Take(MostNamesShown));
        return names.Count > MostNamesShown ? $"{shown} and others" : shown;
    }

    private static string Date(DateTime local) => local.ToUniversalTime().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}
