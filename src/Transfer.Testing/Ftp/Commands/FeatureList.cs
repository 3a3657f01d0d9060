using Transfer.Testing.Listing;


namespace Transfer.Testing.Ftp.Commands;

/// <summary>The lines of FEAT (RFC 2389 3.2), without disabled commands.</summary>
internal static class FeatureList
{
    public static IEnumerable<string> Of(FtpSession session)
    {
        var core = session.Core;
        return Known(session).Where(feature => feature.Verbs.All(verb => !core.IsDisabled(verb))).Select(feature => feature.Line);
    }

    private static IEnumerable<(string Line, string[] Verbs)> Known(FtpSession session)
    {
        if (session.Tls is not null)
        {
            yield return ("AUTH TLS", ["AUTH"]);
            yield return ("PBSZ", ["PBSZ"]);
            yield return ("PROT", ["PROT"]);
            yield return ("CCC", ["CCC"]);
        }

        yield return ("AVBL", ["AVBL"]);
        yield return ("CLNT", ["CLNT"]);
        yield return ("EPRT", ["EPRT"]);
        yield return ("EPSV", ["EPSV"]);
        yield return (HashCommands.Feature(session), ["HASH"]);
        yield return ("HOST", ["HOST"]);
        yield return ("MDTM", ["MDTM"]);
        yield return ("MFMT", ["MFMT"]);
        yield return ($"MLST {MachineListing.Describe(session.State.Facts, stars: true)}", ["MLST", "MLSD"]);
        yield return ("MODE Z", ["MODE", "MODE Z"]);
        if (session.Options.RequirePret) yield return ("PRET", ["PRET"]);
        yield return ("RANG STREAM", ["RANG"]);
        yield return ("REST STREAM", ["REST"]);
        yield return ("SITE CHMOD", ["SITE", "SITE CHMOD"]);
        yield return ("SITE UTIME", ["SITE", "SITE UTIME"]);
        yield return ("SIZE", ["SIZE"]);
        yield return ("TVFS", ["TVFS"]);
        if (session.Options.Utf8) yield return ("UTF8", ["UTF8", "OPTS UTF8"]);
        foreach (var verb in HashCommands.ChecksumVerbs) yield return (verb, [verb]);
    }
}
