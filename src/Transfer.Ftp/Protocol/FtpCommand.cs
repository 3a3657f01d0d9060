namespace Transfer.Ftp.Protocol;

/// <summary>One command line without CRLF (RFC 959 section 5.3).</summary>
/// <param name="Verb">The command word, such as STOR.</param>
/// <param name="Argument">The rest of the line behind one space, or null.</param>
/// <param name="Secret">The argument must not be shown. PASS and ACCT are always secret.</param>
/// <exception cref="ArgumentException">
/// The verb is empty, or a part contains CR, LF or NUL: nothing may smuggle in a second command.
/// </exception>
internal readonly record struct FtpCommand(string Verb, string? Argument = null, bool Secret = false)
{
    /// <summary>The command word.</summary>
    public string Verb { get; init => field = CheckedVerb(value); } = CheckedVerb(Verb);

    /// <summary>The rest of the line, or null.</summary>
    public string? Argument { get; init => field = Checked(value); } = Checked(Argument);

    /// <summary>Takes the inner lines of the reply; null: they are in the reply.</summary>
    public FtpReplyLines? Lines { get; init; }

    /// <summary>The command in a form to show: secrets are starred out.</summary>
    public override string ToString() => Argument is null ? Verb : $"{Verb} {(IsSecret ? "***" : Argument)}";

    /// <summary>Whether the argument must not be shown.</summary>
    public bool IsSecret => Secret || Is("PASS") || Is("ACCT");

    /// <summary>Stars this command's secret out of a text: some servers repeat a command in their reply.</summary>
    public string Redact(string text) =>
        IsSecret && !string.IsNullOrEmpty(Argument) ? text.Replace(Argument, "***", StringComparison.Ordinal) : text;

    /// <summary>Compares the verb without regard to case (RFC 959 section 5.3).</summary>
    public bool Is(string verb) => string.Equals(Verb, verb, StringComparison.OrdinalIgnoreCase);

    private static string CheckedVerb(string verb)
    {
        ArgumentException.ThrowIfNullOrEmpty(verb);
        return Checked(verb)!;
    }

    private static string? Checked(string? text)
    {
        if (text is not null && text.AsSpan().ContainsAny('\r', '\n', '\0'))
            throw new ArgumentException("An FTP command can't contain CR, LF or NUL.");
        return text;
    }
}
