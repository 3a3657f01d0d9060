using System.Buffers;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Testing.Ftp;

namespace Transfer.Tests.Testing;

internal sealed class CommandLineTests
{
    private static readonly Encoding Strict = new UTF8Encoding(false, throwOnInvalidBytes: true);

    [TestCase("NOOP\r", "NOOP", "")]
    [TestCase("noop", "NOOP", "")]
    [TestCase("STOR a b  c \r", "STOR", "a b  c ")]
    [TestCase("STOR \u00fc\u4e2d\r", "STOR", "\u00fc\u4e2d")]
    [TestCase("RETR ", "RETR", "")]
    public void A_line_is_a_verb_and_what_follows_the_first_space(string line, string verb, string argument) =>
        Assert.That(Parse(Encoding.UTF8.GetBytes(line)), Is.EqualTo(new ParsedLine(verb, argument)));

    [Test]
    public void Telnet_commands_are_removed_and_doubled_255s_halved()
    {
        byte[] line = [255, 244, 255, 242, .. "ABOR"u8];
        Assert.That(Parse(line), Is.EqualTo(new ParsedLine("ABOR", string.Empty)));
        byte[] doubled = [.. "RETR "u8, 255, 255, (byte)'x', 255, 253, 1];
        Assert.That(CommandLine.Parse(new(doubled), Encoding.Latin1), Is.EqualTo(new ParsedLine("RETR", "\u00ffx")));
    }

    [TestCase("")]
    [TestCase(" x")]
    [TestCase("ST\u00d6R x")]
    [TestCase("ABCDEFGHIJKLMNOPQ")]
    public void What_has_no_verb_is_told_so(string line) =>
        Assert.That(Parse(Encoding.UTF8.GetBytes(line)).Fault, Is.EqualTo(LineFault.NoVerb));

    [Test]
    public void Bytes_that_are_no_text_and_control_characters_are_told_so()
    {
        Assert.That(Parse([.. "RETR "u8, 0xC3, 0x28]).Fault, Is.EqualTo(LineFault.Undecodable));
        Assert.That(Parse("RETR a\0b"u8.ToArray()).Fault, Is.EqualTo(LineFault.Undecodable));
        Assert.That(Parse("RETR a\rb"u8.ToArray()).Fault, Is.EqualTo(LineFault.Undecodable));
    }

    [Test]
    public void Lines_are_the_same_however_the_input_is_split() =>
        Prop.ForAll<byte[], int>((bytes, cut) =>
        {
            byte[] input = [.. bytes, .. "\r\nNOOP\r\n"u8, .. bytes];
            var at = (int)((uint)cut % (uint)(input.Length + 1));
            return Lines(new ReadOnlySequence<byte>(input)).SequenceEqual(Lines(Split(input, at)));
        }).QuickCheckThrowOnFailure();

    [Test]
    public void Any_bytes_give_a_result() =>
        Prop.ForAll<byte[]>(bytes =>
        {
            var parsed = Parse(bytes);
            return parsed.Fault == LineFault.None ? parsed.Verb.Length > 0 : parsed.Argument.Length == 0;
        }).QuickCheckThrowOnFailure();

    private static ParsedLine Parse(byte[] line) => CommandLine.Parse(new ReadOnlySequence<byte>(line), Strict);

    private static List<ParsedLine> Lines(ReadOnlySequence<byte> input)
    {
        var lines = new List<ParsedLine>();
        while (CommandLine.TryTake(ref input, out var line)) lines.Add(CommandLine.Parse(line, Strict));
        lines.Add(new ParsedLine("rest", Convert.ToHexString(input.ToArray())));
        return lines;
    }

    private static ReadOnlySequence<byte> Split(byte[] input, int at)
    {
        var first = new Piece(input.AsMemory(0, at), null);
        var last = new Piece(input.AsMemory(at), first);
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory, Piece? before)
        {
            Memory = memory;
            if (before is null) return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }
}
