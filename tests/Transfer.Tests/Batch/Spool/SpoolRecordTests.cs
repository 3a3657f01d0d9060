using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Fetching;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Spool;

/// <summary>What lies in a spool, byte for byte, and the keys that it is proved with.</summary>
[Category(Categories.Slow)]
public sealed class SpoolRecordTests
{
    [Test]
    public void A_head_is_read_as_it_was_written([Values] bool isShared)
    {
        using var phrase = new Passphrase("x", 1);
        using var keys = JobKeys.Create(phrase);
        using var sender = SpoolKey.Create();
        using var ann = SpoolKey.Create();
        var head = new SpoolHead
        {
            Job = keys.Job,
            Commitment = SpoolHead.Commit(keys.Secret!, keys.Job),
            Line = 77,
            Sequence = 1_700_000_000_001,
            Sent = 1_700_000_000_000,
            Deadline = 604_800,
            Sender = isShared ? null : sender.Public,
            To = [new SpoolRecipient("ann", isShared ? null : ann.Public), new SpoolRecipient("Zoë B.", isShared ? null : sender.Public)],
        };
        var bytes = head.ToBytes();
        Assert.That(bytes[..17], Is.EqualTo((byte[])[1, .. Convert.FromHexString(keys.Job.ToString())]));
        var read = SpoolHead.Parse(bytes);
        Assert.That((read.Job, read.Line, read.Sequence, read.Sent, read.Deadline, read.Sender),
            Is.EqualTo((head.Job, head.Line, head.Sequence, head.Sent, head.Deadline, head.Sender)));
        Assert.That(read.To, Is.EqualTo(head.To));
        Assert.That(read.Commitment, Is.EqualTo(head.Commitment));
        Assert.That((read.IndexOf("Zoë B.", head.Sender), read.IndexOf("zoë b.", head.Sender)), Is.EqualTo((1, -1)));
        AssertGuarded(bytes, one => SpoolHead.Parse(one));
    }

    [Test]
    public void A_confirmation_that_tells_of_as_much_as_it_can_is_remembered()
    {
        using var folder = new TempFolder();
        var state = new SpoolState(folder["state"]);
        var job = JobId.New();
        byte[] final;
        using (var memory = JobMemory.Open(state, "ann", job))
        {
            memory.AddLacking(Enumerable.Range(0, 60_000).Select(i => $"a file that is called {i}"));
            Assert.That(memory.LacksMore);
            var confirmation = new SpoolConfirmation
            {
                Head = Random(32),
                Recipient = 0,
                IsFinal = true,
                Archives = 1,
                Digest = Random(32),
                MissingFiles = memory.Lacking,
                HasMoreMissing = true
            };
            // The longest header that a sealed record can have, and more than what else is around it.
            final = [.. confirmation.ToBytes(), .. Random(80_000)];
            memory.Finish(final);
            memory.Confirm();
        }
        using var again = JobMemory.Open(state, "ann", job);
        Assert.That((again.Final!.Length, again.IsConfirmed, again.LacksMore), Is.EqualTo((final.Length, true, true)));
    }

    [Test]
    public void An_end_is_read_as_it_was_written()
    {
        var end = new SpoolEnd
        {
            Head = Random(32),
            Archives = 70_000,
            Void = [3, 5, 69_999],
            Digest = Random(32),
            IsBrokenOff = true,
            IsAwaited = true
        };
        var bytes = end.ToBytes();
        var read = SpoolEnd.Parse(bytes);
        Assert.That((read.Archives, read.IsBrokenOff, read.IsAwaited), Is.EqualTo((70_000L, true, true)));
        Assert.That(SpoolEnd.Parse((end with { IsBrokenOff = false }).ToBytes()).IsBrokenOff, Is.False);
        Assert.That(SpoolEnd.Parse((end with { IsAwaited = false }).ToBytes()).IsAwaited, Is.False);
        Assert.That(read.Void, Is.EqualTo(end.Void));
        Assert.That(read.Head.Concat(read.Digest), Is.EqualTo(end.Head.Concat(end.Digest)));
        Assert.That(() => SpoolEnd.Parse((end with { Void = [5, 3] }).ToBytes()), Throws.TypeOf<TransferException>());
        Assert.That(() => SpoolEnd.Parse((end with { Void = [70_000] }).ToBytes()), Throws.TypeOf<TransferException>());
        AssertGuarded(bytes, one => SpoolEnd.Parse(one));
    }

    [Test]
    public void A_confirmation_is_read_as_it_was_written()
    {
        var confirmation = new SpoolConfirmation
        {
            Head = Random(32),
            Recipient = 300,
            IsFinal = true,
            Archives = 9,
            Digest = Random(32),
            MissingFiles = ["a/b", "Zoë"],
            HasMoreMissing = true
        };
        var bytes = confirmation.ToBytes();
        var read = SpoolConfirmation.Parse(bytes);
        Assert.That((read.Recipient, read.IsFinal, read.Archives, read.HasMoreMissing), Is.EqualTo((300, true, 9L, true)));
        Assert.That(read.MissingFiles, Is.EqualTo(confirmation.MissingFiles));
        Assert.That(
            () => SpoolConfirmation.Parse(
            (confirmation with { MissingFiles = [.. Enumerable.Range(0, 60_000).Select(i => $"a file that is called {i}")] }).ToBytes()),
            Throws.TypeOf<TransferException>());
        AssertGuarded(bytes, one => SpoolConfirmation.Parse(one));
    }

    [TestCase("00000000.tfa", 0)]
    [TestCase("123456789.tfa", 123_456_789)]
    [TestCase("0.tfa", null)]
    [TestCase("00000001.tfa.part", null)]
    [TestCase("-0000001.tfa", null)]
    [TestCase("99999999999999999999.tfa", null)]
    [TestCase(".tfa", null)]
    public void Names_of_archives(string name, long? number) => Assert.That(SpoolNames.ArchiveOf(name), Is.EqualTo(number));

    [Test]
    public void Names_of_jobs_and_of_confirmations()
    {
        var job = JobId.New();
        Assert.That(SpoolNames.JobOf(job.ToString()), Is.EqualTo(job));
        Assert.That(SpoolNames.JobOf(new string('g', 32)), Is.Null);
        Assert.That(SpoolNames.JobOf("ab"), Is.Null);
        Assert.That(SpoolNames.ConfirmationOf(SpoolNames.Confirmation(12, 34)), Is.EqualTo((12, 34L)));
        foreach (var name in (string[])["confirmed-", "confirmed-1", "confirmed--1", "confirmed-70000-1", "confirmed-1-x",
            "confirmed-1-2-3"])
        {
            Assert.That(SpoolNames.ConfirmationOf(name), Is.Null, name);
        }
    }

    [Test]
    public void A_proof_is_its_makers_and_of_what_it_was_made_of()
    {
        using var ann = SpoolKey.Create();
        using var eve = SpoolKey.Create();
        using var shared = SpoolKey.CreateShared();
        using var other = SpoolKey.CreateShared();
        using var phrase = SpoolKey.FromPassphrase("open sesame", 1);
        using var samePhrase = SpoolKey.FromPassphrase("open sesame", 1);
        using var job = JobSecret.New();
        using var otherJob = JobSecret.New();
        var signed = ann.Prove(job, "statement"u8);
        Assert.That(signed, Has.Length.EqualTo(64));
        Assert.That(eve.HasProved(ann.Public, otherJob, "statement"u8, signed));
        Assert.That(eve.HasProved(eve.Public, job, "statement"u8, signed), Is.False);
        Assert.That(eve.HasProved(ann.Public, job, "Statement"u8, signed), Is.False);
        Assert.That(eve.HasProved(null, job, "statement"u8, signed), Is.False);
        Assert.That(phrase.HasProved(ann.Public, job, "statement"u8, signed), Is.False);
        var mac = shared.Prove(job, "statement"u8);
        Assert.That(shared.HasProved(null, otherJob, "statement"u8, mac));
        Assert.That(other.HasProved(null, job, "statement"u8, mac), Is.False);
        Assert.That(shared.HasProved(ann.Public, job, "statement"u8, mac), Is.False);
        var secretMac = phrase.Prove(job, "statement"u8);
        Assert.That(samePhrase.HasProved(null, job, "statement"u8, secretMac));
        Assert.That(samePhrase.HasProved(null, job, "Statement"u8, secretMac), Is.False);
        Assert.That(samePhrase.HasProved(null, otherJob, "statement"u8, secretMac), Is.False);
        Assert.That(shared.HasProved(null, job, "statement"u8, secretMac), Is.False);
        signed[5] ^= 1;
        Assert.That(eve.HasProved(ann.Public, job, "statement"u8, signed), Is.False);
    }

    [Test]
    public void Keys_are_read_as_they_were_written_and_show_nothing()
    {
        using var pair = SpoolKey.Create();
        using var shared = SpoolKey.CreateShared();
        using var readPair = SpoolKey.Parse("\n" + pair.ToText() + "\n");
        using var readShared = SpoolKey.Parse(shared.ToText() + "\r\n");
        Assert.That(readPair.Public, Is.EqualTo(pair.Public));
        Assert.That(SpoolPublicKey.Parse(pair.Public!.ToString()), Is.EqualTo(pair.Public));
        using var job = JobSecret.New();
        Assert.That(readShared.HasProved(null, job, "x"u8, shared.Prove(job, "x"u8)));
        Assert.That((pair.ToString(), shared.ToString(), shared.Public), Is.EqualTo(("(key)", "(key)", (SpoolPublicKey?)null)));
        foreach (var text in (string[])["", "shared:", shared.ToText()[..^1], shared.ToText() + "A", "shared: " + shared.ToText()[8..],
            pair.Public!.ToString(), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
        {
            Assert.That(() => SpoolKey.Parse(text), Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Auth),
                text);
        }

        Assert.That(() => SpoolPublicKey.Parse("p256:AAAA"), Throws.TypeOf<FormatException>());
        Assert.That(() => SpoolKey.FromShared(new byte[31]), Throws.ArgumentException);
    }

    [Test]
    public void Only_a_pairs_file_can_be_encrypted_and_a_passphrase_has_none()
    {
        using var pair = SpoolKey.Create();
        using var shared = SpoolKey.CreateShared();
        using var phrase = SpoolKey.FromPassphrase("open sesame");
        var text = pair.ToText("s3cr3t");
        Assert.That(text, Does.StartWith("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
        using var read = SpoolKey.Parse(text, "s3cr3t");
        Assert.That(read.Public, Is.EqualTo(pair.Public));
        foreach (var other in (string?[])["wr0ng", null])
        {
            Assert.That(() => SpoolKey.Parse(text, other),
                Throws.TypeOf<TransferException>().With.Property("Error").EqualTo(TransferError.Auth));
        }

        Assert.That(() => pair.ToText(""), Throws.ArgumentException);
        Assert.That(() => shared.ToText("s3cr3t"), Throws.InvalidOperationException);
        Assert.That(() => phrase.ToText("s3cr3t"), Throws.InvalidOperationException);
        Assert.That(() => phrase.ToText(), Throws.InvalidOperationException);
        Assert.That((phrase.ToString(), phrase.Public), Is.EqualTo(("(key)", (SpoolPublicKey?)null)));
        foreach (var none in (string[])["", "\ud800"]) Assert.That(() => SpoolKey.FromPassphrase(none), Throws.ArgumentException);
    }

    [Test]
    public async Task An_archive_with_its_proof_is_the_same_however_it_is_read([Values(1, 7, 63, 64, 65, 1000)] int step)
    {
        var (content, proof) = (Random(1000), Random(64));
        using var source = new Dribble([.. content, .. proof], step);
        byte[] told = [];
        using var stream = new ProvedStream(source, 64, (digest, given) =>
        {
            told = given;
            return digest.AsSpan().SequenceEqual(SHA256.HashData(content));
        });
        using var read = new MemoryStream();
        await stream.CopyToAsync(read);
        Same.Bytes(read.ToArray(), content);
        Assert.That(told, Is.EqualTo(proof));
        Assert.That(stream.Digest, Is.EqualTo(SHA256.HashData(content)));
        using var cut = new ProvedStream(new MemoryStream(proof[1..]), 64, (_, _) => true);
        Assert.That((await Assert.ThrowsAsync<TransferException>(() => cut.CopyToAsync(read)))!.Error, Is.EqualTo(TransferError.Integrity));
        using var refused = new ProvedStream(new MemoryStream(proof), 64, (_, _) => false);
        Assert.That((await Assert.ThrowsAsync<TransferException>(() => refused.CopyToAsync(read)))!.Error,
            Is.EqualTo(TransferError.Integrity));
    }

    [Test]
    public async Task A_sealed_record_is_of_one_job_and_one_kind_and_its_length_is_bounded()
    {
        using var shared = SpoolKey.CreateShared();
        using var ring = shared.CreateRing();
        using var keys = JobKeys.Create(shared.Wrapper);
        var file = await SealedRecord.SealAsync(keys.Job, 5, keys.Secret!, keys.Wraps, [1, 2, 3], [4, 5]);
        var (record, proof, _) = await SealedRecord.OpenAsync(file, ring, keys.Job, 5, 2);
        Assert.That(record.Concat(proof), Is.EqualTo(new byte[] { 1, 2, 3, 4, 5 }));
        await FailsAsync(TransferError.Integrity, file, keys.Job, 6, 2);
        await FailsAsync(TransferError.Integrity, file, JobId.New(), 5, 2);
        await FailsAsync(TransferError.Protocol, file, keys.Job, 5, 5);
        await FailsAsync(TransferError.Integrity, file[..^1], keys.Job, 5, 2);
        await FailsAsync(TransferError.Protocol,
            await SealedRecord.SealAsync(keys.Job, 5, keys.Secret!, keys.Wraps, new byte[SealedRecord.MostLength], [1]), keys.Job, 5, 2);

        async Task FailsAsync(TransferError expected, byte[] bytes, JobId job, long number, int proofLength)
        {
            var error =
                await Assert.CatchAsync<TransferException>(async () => await SealedRecord.OpenAsync(bytes, ring, job, number, proofLength));
            Assert.That(error!.Error, Is.EqualTo(expected));
        }
    }

    private static byte[] Random(int length) => RandomNumberGenerator.GetBytes(length);

    // Whatever comes, there is a record or an error that says so.
    private static void AssertGuarded(byte[] bytes, Action<byte[]> parse)
    {
        for (var length = 0; length < bytes.Length; length++)
            Assert.That(() => parse(bytes[..length]), Throws.TypeOf<TransferException>(), $"{length} bytes");
        Assert.That(() => parse([.. bytes, 0]), Throws.TypeOf<TransferException>());
        var random = new Random(7);
        for (var i = 0; i < 2000; i++)
        {
            var changed = bytes.ToArray();
            for (var times = random.Next(1, 5); times > 0; times--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
            try
            {
                parse(changed);
            }
            catch (TransferException e) when (e.Error == TransferError.Protocol)
            {
                // As it should be.
            }
        }
    }

    private sealed class Dribble(byte[] bytes, int step) : MemoryStream(bytes)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(step, buffer.Length)], cancellationToken);
    }
}
