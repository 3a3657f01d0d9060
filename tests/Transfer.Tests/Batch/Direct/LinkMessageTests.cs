using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Batch.Wire;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Messages as bytes: fixed, the same however they are split, and nothing else than what they may be.</summary>
public sealed class LinkMessageTests
{
    private static readonly byte[] Sixteen = [.. Enumerable.Range(1, 16).Select(i => (byte)i)];

    [Test]
    public void What_is_said_for_people_is_cut_and_moves_no_cursor()
    {
        var hostile = "a\e[2J\r\nb\u202Ec\u0085 \U0001F600" + new string('x', 60_000);
        string[] heard =
        [
            Again(new ErrorMessage(TransferError.Denied, hostile)).Reason,
            Again(new ArchiveRefusedMessage(1, TransferError.Denied, hostile)).Reason,
            Again(new FileFailureMessage(1, new("p\n", TransferError.Denied, hostile))).Failure.Message,
        ];
        Assert.That(heard, Is.All.StartsWith("a?[2J??b?c? \U0001F600x").And.All.Length.EqualTo(LinkFields.MostReason));
        Assert.That(Again(new FileFailureMessage(1, new("p\n", TransferError.Denied, ""))).Failure.Path, Is.EqualTo("p\n"),
            "a path is compared, and shown as the sender's own");
        var cut = Again(new ErrorMessage(TransferError.Denied, new string('x', LinkFields.MostReason - 1) + "\U0001F600")).Reason;
        Assert.That(cut, Is.EqualTo(new string('x', LinkFields.MostReason - 1)), "no half of a character");
    }

    [Test]
    public void A_receiver_that_tells_without_end_about_one_archive_is_not_listened_to()
    {
        var archive = new CarriedArchive(new MemorySource(1, 10).NextAsync(default).AsTask().Result!);
        var path = new string('p', 60_000);
        archive.Begin();
        for (var i = 0; i < 34; i++) archive.AddSkipped(path);
        Assert.That(() => archive.AddSkipped(path),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Protocol));
        archive.Begin();
        archive.Add(new(path, TransferError.Denied, "x"));
        Assert.That(archive.Failures, Has.Count.EqualTo(1));
    }

    [Test]
    public void Messages_are_these_bytes()
    {
        Assert.That(Hex(new ArchiveBeginMessage(0x0102, 3)), Is.EqualTo("0400000010" + "0000000000000102" + "0000000000000003"));
        Assert.That(Hex(new ArchiveEndMessage()), Is.EqualTo("0600000000"));
        Assert.That(Hex(new ArchiveAbandonedMessage()), Is.EqualTo("0700000000"));
        Assert.That(Hex(new JobBeginMessage(Sixteen, 8)), Is.EqualTo("0200000012" + "0102030405060708090a0b0c0d0e0f10" + "0008"));
        Assert.That(Hex(new JobAcceptedMessage(0xFF00000000000001, 64, true)),
            Is.EqualTo("030000000b" + "ff00000000000001" + "0040" + "01"));
        Assert.That(Hex(new FileFailureMessage(5, new ArchiveFailure("a/\u00e9", TransferError.Exists, "no"))),
            Is.EqualTo("0800000013" + "0000000000000005" + "02" + "0004" + "612fc3a9" + "0002" + "6e6f"));
        Assert.That(Hex(new ReceiptMessage(5, [0xAB], 7)), Is.EqualTo("0900000012" + "0000000000000005" + "0000000000000007" + "01ab"));
        Assert.That(Hex(new ArchiveRefusedMessage(5, TransferError.Integrity, "x")),
            Is.EqualTo("0a0000000c" + "0000000000000005" + "0a" + "0001" + "78"));
        Assert.That(Hex(new JobEndMessage(1, 2)), Is.EqualTo("0b00000010" + "0000000000000001" + "0000000000000002"));
        Assert.That(Hex(new JobDoneMessage(9)), Is.EqualTo("0c00000008" + "0000000000000009"));
        Assert.That(Hex(new ByeMessage()), Is.EqualTo("0d00000000"));
        Assert.That(Hex(new ErrorMessage(TransferError.Auth, "x")), Is.EqualTo("0e00000004" + "05" + "0001" + "78"));
        Assert.That(Hex(new PingMessage()), Is.EqualTo("0f00000000"));
        Assert.That(Hex(new FileSkippedMessage(5, "a")), Is.EqualTo("100000000b" + "0000000000000005" + "0001" + "61"));
        Assert.That(Hex(new SignatureWantedMessage(5, 6, 7, "a")),
            Is.EqualTo("110000001b" + "0000000000000005" + "0000000000000006" + "0000000000000007" + "0001" + "61"));
        Assert.That(Hex(SignatureMessage.Without(5, SignatureKind.Skipped)), Is.EqualTo("1200000009" + "0000000000000005" + "02"));
        Assert.That(Hex(new SignatureMessage(5, SignatureKind.Blocks, new BlockShape(1000, 512, 8), new byte[] { 1, 2 })),
            Is.EqualTo("1200000018" + "0000000000000005" + "01" + "00000000000003e8" + "00000200" + "08" + "0102"));
        var hello = Hex(new HelloMessage(1, 60_000, [.. Sixteen, .. Sixteen], [0xAA]));
        Assert.That(hello,
            Is.EqualTo("0100000030" + "7472616e73666572" + "0001" + "0000ea60"
                + "0102030405060708090a0b0c0d0e0f100102030405060708090a0b0c0d0e0f10" + "01aa"));
    }

    [Test]
    public void What_is_written_is_read_again()
    {
        Prop.ForAll<string, string, byte>((path, text, number) =>
        {
            var error = (TransferError)(number % 12);
            var index = number * 1_000_000_007L;
            var failure = new FileFailureMessage(index, new ArchiveFailure(path ?? "", error, text ?? ""));
            return Again(failure).Failure.Error == error && Again(failure).Index == index
                && Again(failure).Failure.Path == NameEncoding.LosslessUtf8.GetString(NameEncoding.LosslessUtf8.GetBytes(path ?? ""))
                && Again(new ArchiveRefusedMessage(index, error, "")).Error == error;
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void Any_bytes_are_a_message_or_a_protocol_error()
    {
        Prop.ForAll<byte[]>(bytes =>
        {
            IsHarmless<HelloMessage>(bytes);
            IsHarmless<HelloMessage>([.. "transfer"u8, 0, 1, .. bytes]);
            IsHarmless<JobBeginMessage>(bytes);
            IsHarmless<JobAcceptedMessage>(bytes);
            IsHarmless<ArchiveBeginMessage>(bytes);
            IsHarmless<ArchiveEndMessage>(bytes);
            IsHarmless<ArchiveAbandonedMessage>(bytes);
            IsHarmless<FileFailureMessage>(bytes);
            IsHarmless<FileFailureMessage>([0, 0, 0, 0, 0, 0, 0, .. bytes]);
            IsHarmless<FileSkippedMessage>([0, 0, 0, 0, 0, 0, 0, .. bytes]);
            IsHarmless<ReceiptMessage>([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, .. bytes]);
            IsHarmless<ArchiveRefusedMessage>([0, 0, 0, 0, 0, 0, 0, .. bytes]);
            IsHarmless<JobEndMessage>(bytes);
            IsHarmless<JobDoneMessage>(bytes);
            IsHarmless<SignatureWantedMessage>(bytes);
            IsHarmless<SignatureMessage>([0, 0, 0, 0, 0, 0, 0, .. bytes]);
            IsHarmless<SignatureMessage>([0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, .. bytes]);
            IsHarmless<ByeMessage>(bytes);
            IsHarmless<ErrorMessage>(bytes);
            IsHarmless<PingMessage>(bytes);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void A_stream_of_messages_is_read_the_same_however_it_is_split()
    {
        byte[] stream = [.. Bytes(new JobBeginMessage(Sixteen, 8)), .. Bytes(new PingMessage()),
            .. Bytes(new ErrorMessage(TransferError.Auth, "why")), .. Bytes(new ArchiveBeginMessage(1, 2))];
        var whole = ReadAll(new ReadOnlySequence<byte>(stream));
        Assert.That(whole, Has.Count.EqualTo(4));
        for (var cut = 1; cut < stream.Length; cut++)
        {
            var first = new Piece(stream.AsMemory(0, cut));
            var last = first.Append(stream.AsMemory(cut));
            Assert.That(ReadAll(new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length)), Is.EqualTo(whole), $"cut at {cut}");
            var buffer = new ReadOnlySequence<byte>(stream, 0, cut);
            var early = 0;
            while (LinkFrame.TryRead(ref buffer, LinkFrame.MaxPayload, out _, out _)) early++;
            Assert.That(early, Is.LessThan(4), "what is not whole is not read");
        }
    }

    [Test]
    public void A_message_that_is_too_long_is_refused_before_it_has_come()
    {
        var header = new byte[LinkFrame.HeaderLength];
        LinkFrame.WriteHeader(header, LinkMessageType.ArchiveData, LinkFrame.MaxPayload + 1);
        Assert.That(() => Read(header, LinkFrame.MaxPayload),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
        LinkFrame.WriteHeader(header, LinkMessageType.ArchiveData, -1);
        Assert.That(() => Read(header, LinkFrame.MaxPayload), Throws.TypeOf<TransferException>());
        LinkFrame.WriteHeader(header, LinkMessageType.Hello, LinkFrame.MaxUnprovedPayload);
        Assert.That(Read(header, LinkFrame.MaxUnprovedPayload), Is.False);
    }

    [Test]
    public void A_text_that_is_too_long_for_its_field_is_cut()
    {
        Assert.That(Again(new FileSkippedMessage(1, new string('x', 100_000))).Path, Has.Length.EqualTo(ushort.MaxValue));
    }

    [Test]
    public void Another_version_is_told_from_another_protocol()
    {
        var bytes = new byte[new HelloMessage(2, 1, new byte[32], []).Length];
        new HelloMessage(2, 1, new byte[32], []).Write(bytes);
        Assert.That(() => HelloMessage.Parse(bytes),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Unsupported));
        Assert.That(() => HelloMessage.Parse("SSH-2.0-x\r\n"u8),
            Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }

    [Test]
    public void Every_error_has_its_number()
    {
        foreach (var error in Enum.GetValues<TransferError>()) Assert.That(WireError.Read(WireError.Write(error)), Is.EqualTo(error));
        Assert.That(WireError.Read(200), Is.EqualTo(TransferError.Protocol));
    }

    private static bool Read(byte[] bytes, int max)
    {
        var buffer = new ReadOnlySequence<byte>(bytes);
        return LinkFrame.TryRead(ref buffer, max, out _, out _);
    }

    private static List<(LinkMessageType, string)> ReadAll(ReadOnlySequence<byte> buffer)
    {
        var read = new List<(LinkMessageType, string)>();
        while (LinkFrame.TryRead(ref buffer, LinkFrame.MaxPayload, out var type, out var payload))
            read.Add((type, Convert.ToHexString(payload.ToArray())));
        return buffer.IsEmpty ? read : throw new InvalidOperationException("Something is left.");
    }

    private static void IsHarmless<T>(byte[] bytes)
        where T : ILinkMessage<T>
    {
        try
        {
            var message = T.Parse(bytes);
            if (!Payload(message).AsSpan().SequenceEqual(bytes)
                && !Payload(T.Parse(Payload(message))).AsSpan().SequenceEqual(Payload(message)))
            {
                throw new InvalidOperationException($"{typeof(T)} is not read as it is written.");
            }
        }
        catch (TransferException e) when (e.Error is TransferError.Protocol or TransferError.Unsupported)
        {
            // As it should be.
        }
    }

    private static T Again<T>(T message)
        where T : ILinkMessage<T> => T.Parse(Payload(message));

    private static byte[] Payload<T>(T message)
        where T : ILinkMessage<T>
    {
        var payload = new byte[message.Length];
        message.Write(payload);
        return payload;
    }

    private static byte[] Bytes<T>(T message)
        where T : ILinkMessage<T>
    {
        var bytes = new byte[LinkFrame.HeaderLength + message.Length];
        LinkFrame.WriteHeader(bytes, T.Type, message.Length);
        message.Write(bytes.AsSpan(LinkFrame.HeaderLength));
        return bytes;
    }

    private static string Hex<T>(T message)
        where T : ILinkMessage<T> => Convert.ToHexStringLower(Bytes(message));

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory) => Memory = memory;

        public Piece Append(ReadOnlyMemory<byte> memory)
        {
            var next = new Piece(memory) { RunningIndex = RunningIndex + Memory.Length };
            Next = next;
            return next;
        }
    }
}
