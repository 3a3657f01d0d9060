using System.Globalization;
using FluentFTP;

namespace Transfer.FluentFtp.Session;

/// <summary>A reply of the server (RFC 959 section 4.2).</summary>
/// <param name="Code">The code; 0: FluentFTP read none.</param>
/// <param name="Text">The text of the last line.</param>
/// <param name="Lines">The lines in front of the last.</param>
internal readonly record struct Reply(int Code, string Text, IReadOnlyList<string> Lines)
{
    public bool IsSuccess => Code is >= 200 and < 300;

    public bool IsIntermediate => Code is >= 300 and < 400;

    public bool IsPermanentFailure => Code is >= 500 and < 600;

    /// <summary>Whether the server lacks the command, or this form of it.</summary>
    public bool IsUnknownCommand => Code is 500 or 501 or 502 or 503 or 504;

    public static Reply Of(FtpReply reply) =>
        new(CodeOf(reply.Code), reply.Message ?? string.Empty, reply.InfoMessages?.Split('\n') ?? []);

    /// <summary>Returns the number of FluentFTP's reply code; 0 when invalid.</summary>
    public static int CodeOf(string? code) =>
        int.TryParse(code, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Code} {Text}");
}
