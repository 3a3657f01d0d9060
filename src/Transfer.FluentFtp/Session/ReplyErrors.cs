namespace Transfer.FluentFtp.Session;

/// <summary>
/// Maps reply codes to errors: RFC 959 section 4.2.2, RFC 2228 section 5, RFC 2428, RFC 3659, RFC 4217 section 10. Only codes count, never
/// texts.
/// </summary>
internal static class ReplyErrors
{
    /// <summary>Returns the error for a refusal.</summary>
    /// <param name="reply">The refusal, or an unexpected reply.</param>
    /// <param name="verb">The answered command.</param>
    /// <param name="path">The path concerned, in the caller's form.</param>
    /// <param name="writes">The likely meaning of 550: no permission to write when true, no file to read when false.</param>
    /// <returns>A <see cref="TransferConnectionException"/> for 421: the server closes the session.</returns>
    public static TransferException ToException(Reply reply, string verb, string? path, bool writes)
    {
        var message = path is null ? $"{verb}: {reply}" : $"{verb} {path}: {reply}";
        int? code = reply.Code == 0 ? null : reply.Code;
        if (code == 421)
            return new TransferConnectionException(TransferError.Lost, message) { RemotePath = path, ServerCode = code };
        var (error, isTransient) = Map(reply.Code, verb, writes);
        return new TransferException(error, message) { IsTransient = isTransient, RemotePath = path, ServerCode = code };
    }

    private static (TransferError Error, bool IsTransient) Map(int code, string verb, bool writes) => code switch
    {
        425 or 426 or 451 => (TransferError.Lost, true),
        430 or 530 or 331 or 332 or 532 => (TransferError.Auth, false),
        431 => (TransferError.Tls, true),
        450 => (TransferError.Denied, true),
        452 or 552 => (TransferError.Quota, false),
        500 or 502 or 504 or 551 => (TransferError.Unsupported, false),
        501 or 503 or 554 => (TransferError.Protocol, false),
        521 when verb == "MKD" => (TransferError.Exists, false),
        522 when verb == "EPSV" => (TransferError.Unsupported, false),
        521 or 522 or (>= 533 and <= 537) => (TransferError.Tls, false),
        550 => (writes ? TransferError.Denied : TransferError.NotFound, false),
        553 => (TransferError.Denied, false),
        < 400 => (TransferError.Protocol, false),
        _ => (code / 10 % 10) switch
        {
            0 => (TransferError.Unsupported, code < 500),
            2 => (TransferError.Lost, code < 500),
            3 => (code < 500 ? TransferError.Denied : TransferError.Auth, code < 500),
            5 => (TransferError.Denied, code < 500),
            _ => (TransferError.Protocol, code < 500),
        },
    };
}
