using System.Buffers;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

internal sealed class FtpReplyParserTests
{
    private const string Feat =
        "211-Features:\r\n MDTM\r\n REST STREAM\r\n200 not the end\r\n211-still not\r\n211\u00e9 nor this\r\n211 End\r\n";

    [Test]
    public void A_single_line_has_a_code_and_a_text()
    {
        var reply = ParseOne("226 Transfer complete.\r\n");
        Assert.That((reply.Code, reply.Text, reply.Lines.Count, reply.IsSuccess), Is.EqualTo((226, "Transfer complete.", 1, true)));
    }

    [TestCase("220\r\n", 220, "")]
    [TestCase("220 \r\n", 220, "")]
    [TestCase("220  two\r\n", 220, " two")]
    [TestCase("350 bare line feed\n", 350, "bare line feed")]
    [TestCase("150 x\r\r\n", 150, "x")]
    public void Odd_but_clear_lines_are_taken(string wire, int code, string text)
    {
        var reply = ParseOne(wire);
        Assert.That((reply.Code, reply.Text), Is.EqualTo((code, text)));
    }

    [Test]
    public void Only_the_same_code_and_a_space_end_a_multi_line_reply()
    {
        var reply = ParseOne(Feat);
        Assert.That(reply.Code, Is.EqualTo(211));
        Assert.That(reply.Lines,
            Is.EqualTo((string[])["Features:", " MDTM", " REST STREAM", "200 not the end", "still not", "211é nor this", "End"]));
    }

    [TestCase(100, true, false, false, false, false)]
    [TestCase(229, false, true, false, false, false)]
    [TestCase(331, false, false, true, false, false)]
    [TestCase(450, false, false, false, true, false)]
    [TestCase(599, false, false, false, false, true)]
    public void The_first_digit_is_the_class(int code, bool preliminary, bool success, bool intermediate, bool transient, bool permanent)
    {
        var reply = ParseOne($"{code} x\r\n");
        Assert.That(
            (reply.IsPreliminary, reply.IsSuccess, reply.IsIntermediate, reply.IsTransientFailure, reply.IsPermanentFailure),
            Is.EqualTo((preliminary, success, intermediate, transient, permanent)));
    }

    [Test]
    public void The_result_is_the_same_however_the_bytes_are_split()
    {
        var bytes = Encoding.UTF8.GetBytes(Feat + "150-a\r\n150 b\r\n226 ok\r\n");
        var whole = ParseAll([bytes]);
        for (var size = 1; size < bytes.Length; size++)
            Assert.That(ParseAll(bytes.Chunk(size)), Is.EqualTo(whole), $"pieces of {size}");
        Assert.That(whole, Has.Count.EqualTo(3));
    }

    [Test]
    public void An_unfinished_reply_leaves_the_buffer_alone()
    {
        var bytes = Encoding.UTF8.GetBytes(Feat);
        for (var length = 0; length < bytes.Length; length++)
        {
            var buffer = new ReadOnlySequence<byte>(bytes, 0, length);
            Assert.That(FtpReplyParser.TryRead(ref buffer, Encoding.UTF8, out _), Is.False);
            Assert.That(buffer.Length, Is.EqualTo(length));
        }
    }

    [TestCase("SSH-2.0-x\r\n")]
    [TestCase("\r\n")]
    [TestCase("22 \r\n")]
    [TestCase("2200 x\r\n")]
    [TestCase("600 x\r\n")]
    [TestCase("099 x\r\n")]
    [TestCase("22x y\r\n")]
    [TestCase("220\rx\n")]
    [TestCase("HTTP")]
    [TestCase("2x")]
    [TestCase("220x")]
    public void Anything_else_is_a_protocol_error(string wire) => AssertProtocolError(wire);

    [Test]
    public void A_line_without_an_end_fails_once_it_is_too_long()
    {
        AssertProtocolError("220 " + new string('x', FtpReplyParser.MaxLineBytes));
        AssertProtocolError("220-x\r\n" + new string('x', FtpReplyParser.MaxLineBytes));
        AssertProtocolError("220 " + new string('x', FtpReplyParser.MaxLineBytes) + "\r\n");
        Assert.That(ParseOne("220 " + new string('x', FtpReplyParser.MaxLineBytes - 6) + "\r\n").Text,
            Has.Length.EqualTo(FtpReplyParser.MaxLineBytes - 6));
    }

    [Test]
    public void A_reply_without_an_end_fails_once_it_is_too_long()
    {
        AssertProtocolError("211-x\r\n" + string.Concat(Enumerable.Repeat(new string('x', 998) + "\r\n", 70)));
        AssertProtocolError("211-x\r\n" + string.Concat(Enumerable.Repeat("x\r\n", FtpReplyParser.MaxLines)));
        var most = ParseOne("211-x\r\n" + string.Concat(Enumerable.Repeat("x\r\n", FtpReplyParser.MaxLines - 2)) + "211 x\r\n");
        Assert.That(most.Lines, Has.Count.EqualTo(FtpReplyParser.MaxLines));
    }

    [Test]
    public void An_encoding_that_refuses_is_a_protocol_error()
    {
        var buffer = new ReadOnlySequence<byte>("220 \xE9\r\n"u8.ToArray().Select((b, i) => i == 4 ? (byte)0xFF : b).ToArray());
        var strict = new UTF8Encoding(false, throwOnInvalidBytes: true);
        Assert.That(() => FtpReplyParser.TryRead(ref buffer, strict, out _), Throws.TypeOf<TransferConnectionException>());
    }

    [Test]
    public void Arbitrary_bytes_give_a_reply_or_a_protocol_error_and_the_same_one_in_pieces() =>
        Prop.ForAll(Wire(), bytes => Outcome([bytes]) == Outcome(bytes.Chunk(1)) && Outcome([bytes]) == Outcome(bytes.Chunk(3)))
            .QuickCheckThrowOnFailure();

    [Test]
    public void What_was_composed_is_read_back() =>
        Prop.ForAll(Composed().ToArbitrary(), lines =>
        {
            var wire = string.Concat(lines.Select((l, i) => $"250{(i == lines.Length - 1 ? ' ' : '-')}{l}\r\n"));
            return ParseOne(wire).Lines.SequenceEqual(lines);
        }).QuickCheckThrowOnFailure();

    /// <summary>Bytes that look like replies often enough to get deep into the parser.</summary>
    private static Arbitrary<byte[]> Wire()
    {
        var piece = Gen.OneOf(
            Gen.Elements("220 ", "220-", "211", "\r\n", "\n", "421 x\r\n", "229 (|||1|)\r\n", " ", "-", "999"),
            ArbMap.Default.GeneratorFor<byte[]>().Select(Encoding.Latin1.GetString));
        return piece.ListOf().Select(pieces => Encoding.Latin1.GetBytes(string.Concat(pieces))).ToArbitrary();
    }

    private static Gen<string[]> Composed() =>
        Gen.Elements("a", "b ", " 250 c", "250-d", "", "é").NonEmptyListOf().Select(l => l.ToArray());

    private static string Outcome(IEnumerable<byte[]> pieces)
    {
        var replies = new StringBuilder();
        try
        {
            foreach (var reply in ParseAll(pieces))
                replies.Append(reply);
        }
        catch (TransferConnectionException e)
        {
            // The replies before the bad bytes are delivered when they come in pieces; what counts is that both fail.
            return $"{e.Error}";
        }

        return replies.ToString();
    }

    private static FtpReply ParseOne(string wire)
    {
        var buffer = new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(wire));
        Assert.That(FtpReplyParser.TryRead(ref buffer, Encoding.UTF8, out var reply), Is.True);
        Assert.That(buffer.IsEmpty, Is.True);
        return reply!;
    }

    private static List<string> ParseAll(IEnumerable<byte[]> pieces)
    {
        List<string> replies = [];
        var first = new Segment([], 0);
        var last = first;
        var buffer = new ReadOnlySequence<byte>(first, 0, last, 0);
        foreach (var piece in pieces)
        {
            var start = buffer.Start;
            last = last.Append(piece);
            var object0 = (Segment)start.GetObject()!;
            buffer = new ReadOnlySequence<byte>(object0, start.GetInteger(), last, last.Memory.Length);
            while (FtpReplyParser.TryRead(ref buffer, Encoding.UTF8, out var reply))
                replies.Add($"{reply!.Code}|{string.Join('|', reply.Lines)}");
        }

        return replies;
    }

    private static void AssertProtocolError(string wire)
    {
        var buffer = new ReadOnlySequence<byte>(Encoding.UTF8.GetBytes(wire));
        var e = Assert.Throws<TransferConnectionException>(() => FtpReplyParser.TryRead(ref buffer, Encoding.UTF8, out _));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Protocol));
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] bytes, long index)
        {
            Memory = bytes;
            RunningIndex = index;
        }

        public Segment Append(byte[] bytes)
        {
            var next = new Segment(bytes, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
