namespace Transfer.Ftp.Protocol;

/// <summary>One complete reply, single-line or multi-line (RFC 959 section 4.2).</summary>
internal sealed class FtpReply
{
    public FtpReply(int code, IReadOnlyList<string> lines)
    {
        Code = code;
        Lines = lines;
    }

    /// <summary>The three-digit code, 100 to 599.</summary>
    public int Code { get; }

    /// <summary>The first line without the code.</summary>
    public string Text => Lines[0];

    /// <summary>Every line without "ddd-" or "ddd "; inner lines that do not begin with the reply's code are whole. Never empty.</summary>
    public IReadOnlyList<string> Lines { get; }

    /// <summary>Whether the code is 1yz: a mark; another reply to the same command follows.</summary>
    public bool IsPreliminary => Code is >= 100 and < 200;

    /// <summary>Whether the code is 2yz: done.</summary>
    public bool IsSuccess => Code is >= 200 and < 300;

    /// <summary>
    /// Whether the act happened: 2yz but for 202, not implemented or superfluous (RFC 959 section 4.2), after which nothing was created,
    /// renamed, deleted or set.
    /// </summary>
    public bool IsDone => IsSuccess && Code != 202;

    /// <summary>Whether the code is 3yz: accepted so far, another command has to follow.</summary>
    public bool IsIntermediate => Code is >= 300 and < 400;

    /// <summary>Whether the code is 4yz: refused for now.</summary>
    public bool IsTransientFailure => Code is >= 400 and < 500;

    /// <summary>Whether the code is 5yz: refused for good.</summary>
    public bool IsPermanentFailure => Code is >= 500 and < 600;

    /// <summary>The secrets that the connection has sent; null: none.</summary>
    public FtpSecrets? Secrets { get; set; }

    /// <summary>A line of the reply in a form to show: secrets are starred out.</summary>
    public string Show(string line) => Secrets is null ? line : Secrets.Redact(line);

    /// <summary>The code and the first line in a form to show.</summary>
    public override string ToString() => Text.Length == 0 ? $"{Code}" : $"{Code} {Show(Text)}";
}
