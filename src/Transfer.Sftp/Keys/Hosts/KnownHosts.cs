namespace Transfer.Sftp.Keys.Hosts;

/// <summary>The lines of all files together; the judgement is that of OpenSSH's sshconnect.c and hostfile.c.</summary>
internal sealed class KnownHosts(IReadOnlyList<KnownHost> lines, IReadOnlyList<string>? authoritySignatures = null)
{
    /// <summary>Judges a key. For any verdict but known, <paramref name="reason"/> is the explanation for a person.</summary>
    public HostKeyVerdict Judge(string host, int port, SshPublicKey key, DateTimeOffset now, out string reason)
    {
        var name = HostName.WithPort(host, port);
        var plain = (key as SshCertificate)?.Key ?? key;
        if (FindRevoked(host, port, key) is { } revoked)
        {
            reason = $"{Describe(name, plain)} is revoked ({revoked.Place}).";
            return HostKeyVerdict.Revoked;
        }

        var certified = HostKeyVerdict.New;
        reason = string.Empty;
        if (key is SshCertificate certificate)
        {
            certified = JudgeCertificate(host, port, certificate, now, out reason);
            if (certified == HostKeyVerdict.Known) return certified;
        }

        // A rejected certificate still holds a key, which may be known as such. A host without a line for its port may be known without
        // the port.
        var sameName = Lines(KnownHostMarker.None, name).ToList();
        if (sameName.Exists(line => HasKey(line, plain))
            || (sameName.Count == 0 && Lines(KnownHostMarker.None, HostName.Plain(host)).Any(line => HasKey(line, plain))))
        {
            return HostKeyVerdict.Known;
        }

        if (certified == HostKeyVerdict.BadCertificate) return certified;
        if (sameName.Count == 0)
        {
            reason = $"{Describe(name, plain)} is not known.";
            return HostKeyVerdict.New;
        }

        var known = sameName.Find(line => line.Type == plain.Type) ?? sameName[0];
        reason = $"{Describe(name, plain)} is not the one that is known, {known.Type} {SshFingerprint.Of(known.Blob)} ({known.Place}). "
            + "Either the host has a new key, or an attacker is in between.";
        return HostKeyVerdict.Changed;
    }

    /// <summary>The types of key, certificates first, that the host can be recognised by.</summary>
    public IReadOnlyList<string> KnownTypes(string host, int port)
    {
        var name = HostName.WithPort(host, port);
        var plain = HostName.Plain(host);
        var keys = Lines(KnownHostMarker.None, name).ToList();
        if (keys.Count == 0) keys = Lines(KnownHostMarker.None, plain).ToList();
        var types = new List<string>();
        if (Lines(KnownHostMarker.Authority, name).Concat(Lines(KnownHostMarker.Authority, plain)).Any())
            types.AddRange(KeyAlgorithms.KeyTypes.Select(KeyAlgorithms.Certificate));
        types.AddRange(keys.Select(line => line.Type).Distinct());
        return types;
    }

    private HostKeyVerdict JudgeFor(SshCertificate certificate, string host, DateTimeOffset now, out string problem)
    {
        problem = certificate.FindFlaw() is { } flaw ? flaw
            : certificate.Kind != SshCertificateKind.Host ? "it is a user's"
            : !certificate.IsValidAt(now) ? "it is not valid now"
            : authoritySignatures?.Contains(certificate.AuthorityAlgorithm) == false
            ? $"it is signed by {certificate.AuthorityAlgorithm}, which CASignatureAlgorithms leaves out"
            : certificate.CriticalOptions.Count > 0 ? "it has an unknown critical option"
            : certificate.Principals.Count == 0 ? "it names no host"
            : !certificate.Principals.Any(principal => HostPatterns.Match(principal, host)) ? "it is for other hosts"
            : string.Empty;
        return problem.Length == 0 ? HostKeyVerdict.Known : HostKeyVerdict.BadCertificate;
    }

    private HostKeyVerdict JudgeCertificate(string host, int port, SshCertificate certificate, DateTimeOffset now, out string reason)
    {
        reason = string.Empty;
        var authorities =
            Lines(KnownHostMarker.Authority, HostName.WithPort(host, port)).Concat(Lines(KnownHostMarker.Authority, HostName.Plain(host)));
        if (!authorities.Any(line => HasBlob(line, certificate.Authority))) return HostKeyVerdict.New;
        var verdict = JudgeFor(certificate, HostName.Plain(host), now, out var problem);
        if (verdict != HostKeyVerdict.Known)
            reason = $"The certificate of {host}, {certificate.Type}, names a trusted authority, but {problem}.";
        return verdict;
    }

    private KnownHost? FindRevoked(string host, int port, SshPublicKey key)
    {
        var revoked =
            Lines(KnownHostMarker.Revoked, HostName.WithPort(host, port)).Concat(Lines(KnownHostMarker.Revoked, HostName.Plain(host)));
        return revoked.FirstOrDefault(
            line => HasKey(line, key)
                || (key is SshCertificate certificate && (HasKey(line, certificate.Key) || HasBlob(line, certificate.Authority))));
    }

    private IEnumerable<KnownHost> Lines(KnownHostMarker marker, string name) =>
        lines.Where(line => line.Marker == marker && line.Matches(name));

    private static bool HasKey(KnownHost line, SshPublicKey key) => HasBlob(line, key.Blob);

    private static bool HasBlob(KnownHost line, ReadOnlyMemory<byte> blob) => blob.Span.SequenceEqual(line.Blob);

    private static string Describe(string name, SshPublicKey key) => $"The host key of {name}, {key.Type} {key.Fingerprint},";
}
