using System.Buffers;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

internal sealed class FtpCommandTests
{
    [TestCase("STOR a\r\nDELE b", null)]
    [TestCase("STOR", "a\rb")]
    [TestCase("STOR", "a\nb")]
    [TestCase("STOR", "a\0b")]
    [TestCase("", null)]
    public void Line_ends_NUL_and_empty_verbs_are_refused(string verb, string? argument)
    {
        Assert.That(() => new FtpCommand(verb, argument), Throws.ArgumentException);
        Assert.That(() => new FtpCommand("NOOP") with { Verb = verb, Argument = argument }, Throws.ArgumentException);
    }

    [Test]
    public void The_refusal_does_not_repeat_the_argument() =>
        Assert.That(() => new FtpCommand("PASS", "secret\n"), Throws.ArgumentException.With.Message.Not.Contains("secret"));

    [TestCase("PASS", "hunter2", false, "PASS ***")]
    [TestCase("pass", "hunter2", false, "pass ***")]
    [TestCase("ACCT", "hunter2", false, "ACCT ***")]
    [TestCase("SITE", "hunter2", true, "SITE ***")]
    [TestCase("STOR", "a b", false, "STOR a b")]
    [TestCase("NOOP", null, false, "NOOP")]
    public void Secrets_are_not_shown(string verb, string? argument, bool secret, string shown)
    {
        var command = new FtpCommand(verb, argument, secret);
        Assert.That(command.ToString(), Is.EqualTo(shown));
        Assert.That($"{command}", Is.EqualTo(shown));
    }

    [Test]
    public void A_server_that_repeats_a_secret_is_redacted() =>
        Assert.That(new FtpCommand("PASS", "hunter2").Redact("500 PASS hunter2 not understood"), Is.EqualTo("500 PASS *** not understood"));

    [Test]
    public void Commands_are_lines_with_CRLF() =>
        Assert.That(Encoded(Encoding.UTF8, new FtpCommand("EPSV"), new FtpCommand("STOR", " é -x")),
            Is.EqualTo("EPSV\r\nSTOR  é -x\r\n"u8.ToArray()));

    [Test]
    public void A_name_the_encoding_can_not_express_is_refused_instead_of_changed()
    {
        var e = Assert.Throws<TransferException>(() => Encoded(Encoding.Latin1, new FtpCommand("DELE", "日本")));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(() => Encoded(Encoding.UTF8, new FtpCommand("DELE", "\uD800")), Throws.TypeOf<TransferException>());
        Assert.That(() => Encoded(Encoding.UTF8, new FtpCommand("DÉLE")), Throws.TypeOf<TransferException>());
    }

    [Test]
    public void Names_that_are_no_text_travel_as_the_bytes_they_are()
    {
        var wire = (byte[])[.. "RETR "u8, 0xE9, 0xFF, (byte)'x', .. "\r\n"u8];
        var name = NameEncoding.LosslessUtf8.GetString(wire.AsSpan(5, 3));
        Assert.That(Encoded(NameEncoding.LosslessUtf8, new FtpCommand("RETR", name)), Is.EqualTo(wire));
    }

    [Test]
    public void A_command_without_a_verb_is_refused() =>
        Assert.That(() => Encoded(Encoding.UTF8, default(FtpCommand)), Throws.ArgumentException);

    [Test]
    public void Whatever_the_argument_there_is_one_line_or_a_refusal() =>
        Prop.ForAll<string>(argument =>
        {
            try
            {
                var bytes = Encoded(Encoding.UTF8, new FtpCommand("STOR", argument));
                return bytes.AsSpan().Count((byte)'\n') == 1 && bytes.AsSpan().Count((byte)'\r') == 1 && bytes.AsSpan().EndsWith("\r\n"u8);
            }
            catch (Exception e) when (e is ArgumentException or TransferException)
            {
                return argument.AsSpan().ContainsAny('\r', '\n', '\0') || argument.Any(char.IsSurrogate);
            }
        }).QuickCheckThrowOnFailure();

    private static byte[] Encoded(Encoding encoding, params FtpCommand[] commands)
    {
        var writer = new ArrayBufferWriter<byte>();
        CommandEncoder.Encode(commands, encoding, writer);
        return writer.WrittenSpan.ToArray();
    }
}
