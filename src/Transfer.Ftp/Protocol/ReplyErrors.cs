namespace Transfer.Ftp.Protocol;

/// <summary>
/// Maps reply codes to errors: RFC 959 section 4.2.2, RFC 2228 section 5, RFC 2428, RFC 3659, RFC 4217 section 10, RFC 7151. Message text
/// never counts.
/// </summary>
internal static class ReplyErrors
{
    // Of the engine's temporary names.
    private const string UnfinishedPrefix = ".transfer-";

    private static readonly string[] WritingVerbs = ["STOR", "STOU", "APPE", "MKD", "XMKD", "RNTO", "MFMT", "MFF", "SITE", "ALLO"];

    /// <summary>Returns the error of a refusal, or of a reply that is no refusal but not the one that the protocol requires.</summary>
    /// <param name="reply">The reply.</param>
    /// <param name="command">The command that was answered.</param>
    /// <param name="path">The path concerned, if there is one.</param>
    /// <param name="writes">
    /// The most likely meaning of 550, the code for all troubles with files: for a path that is written, missing permission; for one that
    /// is read, absence. Null: the verb decides.
    /// </param>
    /// <returns>A <see cref="TransferConnectionException"/> for 421 only: after any other refusal the session remains usable.</returns>
    public static TransferException ToException(FtpReply reply, FtpCommand command, string? path = null, bool? writes = null)
    {
        var message = Describe(command, command.Redact(reply.ToString()), path);
        if (reply.Code == 421)
        {
            return new TransferConnectionException(TransferError.Lost, message)
            {
                IsTransient = true,
                RemotePath = path,
                ServerCode = reply.Code
            };
        }

        var (error, transient) = Map(reply, command, writes ?? WritingVerbs.Any(command.Is));
        return new TransferException(error, message) { IsTransient = transient, RemotePath = path, ServerCode = reply.Code };
    }

    // The message names the caller's path, not the temporary one of the command.
    private static string Describe(FtpCommand command, string reply, string? path) =>
        path is not null && command.Argument is { } argument
        && RemotePath.GetName(argument).StartsWith(UnfinishedPrefix, StringComparison.Ordinal)
            ? $"{command.Verb} {path}: {reply.Replace(argument, path, StringComparison.Ordinal)}"
            : $"{command}: {reply}";

    private static (TransferError Error, bool Transient) Map(FtpReply reply, FtpCommand command, bool writes) => reply.Code switch
    {
        // The transfer was not made or broke off. 451 is in this family (RFC 959: "Requested action aborted. Local error in processing"):
        // the server failed, may succeed next time, and the session stays.
        425 or 426 or 451 => (TransferError.Lost, true),
        430 or 530 or 331 or 332 or 532 => (TransferError.Auth, false),
        431 => (TransferError.Tls, true),
        450 => (TransferError.Denied, true),
        // A full disk is not transient: space does not free itself.
        452 or 552 => (TransferError.Quota, false),
        202 or 500 or 502 or 504 or 551 => (TransferError.Unsupported, false),
        501 or 503 or 554 => (TransferError.Protocol, false),
        // 521 is for existing directories in RFC 959 appendix II, for an unsuitable PROT in RFC 4217.
        521 when command.Is("MKD") || command.Is("XMKD") => (TransferError.Exists, false),
        // 522 is for address families in RFC 2428; servers that insist on TLS session reuse send 522 for data connections without that.
        522 when command.Is("EPSV") || command.Is("EPRT") => (TransferError.Unsupported, false),
        521 or 522 or (>= 533 and <= 537) => (TransferError.Tls, false),
        550 => (writes ? TransferError.Denied : TransferError.NotFound, false),
        553 => (TransferError.Denied, false),
        < 400 => (TransferError.Protocol, false),
        _ => ByKind(reply),
    };

    /// <summary>Maps a code that is in no RFC by its second digit, which names the subject (RFC 959 section 4.2.1).</summary>
    private static (TransferError Error, bool Transient) ByKind(FtpReply reply) => (reply.Code / 10 % 10) switch
    {
        0 => (TransferError.Unsupported, reply.IsTransientFailure),
        2 => (TransferError.Lost, reply.IsTransientFailure),
        3 => (reply.IsTransientFailure ? TransferError.Denied : TransferError.Auth, reply.IsTransientFailure),
        5 => (TransferError.Denied, reply.IsTransientFailure),
        _ => (TransferError.Protocol, reply.IsTransientFailure),
    };
}
