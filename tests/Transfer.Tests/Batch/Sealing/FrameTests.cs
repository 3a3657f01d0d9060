using System.Security.Cryptography;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Sealing;

public sealed class FrameTests
{
    [Test]
    public void Split_frames_decode_to_what_they_were()
    {
        Prop.ForAll(Gen.Choose(0, 3000).ListOf().ToArbitrary(), Gen.Choose(0, 1 << 20).ToArbitrary(), (lengths, seed) =>
        {
            var random = new Random(seed);
            var runs = new List<FrameRun>();
            var payload = new List<byte>();
            foreach (var length in lengths.Where(length => length > 0))
            {
                // Runs of a kind are one run.
                var shrinks = runs.Count % 2 == seed % 2;
                var part = new byte[length];
                if (shrinks) Array.Fill(part, (byte)length);
                else random.NextBytes(part);
                runs.Add(new FrameRun(length, shrinks));
                payload.AddRange(part);
            }
            var whole = payload.ToArray();
            var text = new byte[SplitCoding.MostText(whole.Length)];
            var body = new byte[whole.Length];
            var written = SplitCoding.Encode(whole, runs, text, body);
            if (written == 0) return true;
            var decoded = new byte[whole.Length];
            SplitCoding.Decode(body.AsSpan(0, written), text, decoded);
            return written < whole.Length && decoded.SequenceEqual(whole);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void Any_body_decodes_or_is_an_error()
    {
        var payload = new byte[5000];
        var text = new byte[SplitCoding.MostText(payload.Length)];
        var body = new byte[payload.Length];
        var length = SplitCoding.Encode(payload, [new FrameRun(payload.Length, true)], text, body);
        Prop.ForAll<byte[], int, byte>((bytes, at, value) =>
        {
            var changed = body[..length];
            changed[(int)((uint)at % (uint)length)] = value;
            Survives(bytes, text, payload);
            Survives(changed, text, payload);
            Survives(body[..(int)((uint)at % (uint)length)], text, payload);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void A_body_that_decodes_to_more_than_its_frame_says_is_refused()
    {
        var payload = new byte[100_000];
        var text = new byte[SplitCoding.MostText(payload.Length)];
        var body = new byte[payload.Length];
        var length = SplitCoding.Encode(payload, [new FrameRun(payload.Length, true)], text, body);
        foreach (var room in new[] { payload.Length - 1, payload.Length + 1, 1, 0 })
        {
            Assert.That(
                () => SplitCoding.Decode(body.AsSpan(0, length), text, new byte[room]),
                Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Protocol),
                $"{room}");
        }
    }

    [Test]
    public void Heads_that_contradict_themselves_are_refused()
    {
        foreach (var head in new FrameHead[]
        {
            new(false, FrameCoding.Stored, 5, 6),
            new(false, FrameCoding.Stored, 5000, 5000),
            new(false, FrameCoding.Split, 6, 6),
            new(false, (FrameCoding)2, 5, 6),
            new(false, FrameCoding.Stored, 0, 0),
            new(true, FrameCoding.Split, 0, -1),
        })
        {
            var bytes = new byte[FrameHead.Length];
            head.Write(bytes);
            Assert.That(() => FrameHead.Parse(bytes, 4096), Throws.InstanceOf<TransferException>(), $"{head}");
        }
    }

    [Test]
    public void Random_content_is_not_compressed_and_text_is()
    {
        var random = new byte[10_000];
        new Random(1).NextBytes(random);
        foreach (var length in new[] { 64, 100, 500, 1024, 1025, 10_000 })
        {
            Assert.That(ShrinkTest.Pays(random.AsSpan(0, length)), Is.False, $"{length}");
            Assert.That(
                ShrinkTest.Pays(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("The quick brown fox. ", 500))).AsSpan(0, length)),
                $"{length}");
            if (length < 500) continue;
            Assert.That(ShrinkTest.Pays(Encoding.ASCII.GetBytes(Convert.ToBase64String(random)).AsSpan(0, length)), $"{length}");
        }
    }

    // Put together a second time by a program that was written from docs/internals/batch-format.md: it must not change.
    [TestCase(true, "8F53C2B75D90E5081AA1EF659FEFFD894358BC8671D9657D362230C4FE7DFF26")]
    [TestCase(false, "E32545835BAF902D59F3F9028D897AB3FECDBE910499E991D0D3AD32CAF7AA71")]
    public async Task The_format_stays_as_it_is(bool isSealed, string expected)
    {
        using var stream = new MemoryStream();
        using var secret = isSealed ? new JobSecret([.. Enumerable.Range(0, 32).Select(i => (byte)i)]) : null;
        var header = new ArchiveHeader
        {
            Job = JobId.Read([.. Enumerable.Range(100, 16).Select(i => (byte)i)]),
            Index = 5,
            IsSealed = isSealed,
            FrameBits = 12,
            Salt = Enumerable.Range(50, 32).Select(i => (byte)i).ToArray(),
            Wraps = isSealed ? [new KeyWrap(KeyWrapKind.SharedKey, Enumerable.Repeat((byte)9, 64).ToArray())] : [],
        };
        await using (var writer = new ArchiveWriter(stream, header, secret, compress: false))
        {
            await writer.WriteAsync(Encoding.ASCII.GetBytes(new string('a', 4096) + "end"), default);
            await writer.CompleteAsync(default);
        }
        Assert.That(Convert.ToHexString(SHA256.HashData(stream.ToArray())), Is.EqualTo(expected));
    }

    private static void Survives(byte[] body, byte[] text, byte[] payload)
    {
        try
        {
            SplitCoding.Decode(body, text, payload);
        }
        catch (TransferException e) when (e.Error == TransferError.Protocol)
        {
            // That is an answer.
        }
    }
}
