namespace Transfer.Ftp.Protocol;

/// <summary>The positive codes that belong to each command (RFC 959 section 5.4, RFC 2428, RFC 3659).</summary>
internal static class ReplyCodes
{
    /// <summary>Whether a reply can belong to a command. Refusals fit every command.</summary>
    public static bool Fit(FtpCommand command, FtpReply reply) => reply.Code is var code && code >= 400 || command.Verb switch
    {
        "SYST" => code == 215,
        "FEAT" => code == 211,
        "PWD" => code == 257,
        "EPSV" => code == 229,
        "PASV" => code == 227,
        "SIZE" => code == 213,
        "RNFR" or "REST" or "RANG" => code == 350,
        "STOR" or "APPE" or "RETR" or "MLSD" or "LIST" or "NLST" =>
            code is >= 200 and < 300 and not (213 or 220 or 221 or 227 or 229 or 257),
        "RNTO" or "DELE" => code is >= 200 and < 300 and not (213 or 226 or 227 or 229),
        "MFMT" or "MDTM" or "SITE" => code is >= 200 and < 300 and not (226 or 227 or 229),
        _ => true,
    };
}
