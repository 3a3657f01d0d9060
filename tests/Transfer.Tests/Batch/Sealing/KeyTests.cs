using System.Buffers.Binary;
using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Sealing;

[Category(Categories.Slow)]
public sealed class KeyTests
{
    private static readonly JobId Job = new(0, 42);
    private static readonly byte[] Secret = [.. Enumerable.Range(0, JobSecret.Length).Select(i => (byte)i)];

    [Test]
    public void Each_kind_of_key_opens_what_was_wrapped_for_it_and_nothing_else()
    {
        using var secret = new JobSecret(Secret);
        using var pairshared = Two(i => new SharedKey([.. Enumerable.Repeat((byte)i, SharedKey.Length)]));
        var (shared, otherShared) = pairshared;
        using var pairmine = Two(_ => RecipientPrivateKey.New());
        var (mine, theirs) = pairmine;
        using var pairphrase = Two(i => new Passphrase(i == 1 ? "open sesame" : "open barley", 10));
        var (phrase, otherPhrase) = pairphrase;
        IKeyUnwrapper[] keys = [shared, otherShared, phrase, otherPhrase, mine, theirs];
        IKeyWrapper[] wrappers = [shared, otherShared, phrase, otherPhrase, mine.Public, theirs.Public];
        for (var i = 0; i < wrappers.Length; i++)
        {
            var wrap = wrappers[i].Wrap(secret, Job);
            for (var j = 0; j < keys.Length; j++)
            {
                using var opened = keys[j].Unwrap(wrap, Job);
                Assert.That(opened?.Bytes.ToArray(), Is.EqualTo(i == j ? Secret : null), $"{i} {j}");
            }
            Assert.That(keys[i].Unwrap(wrap, new JobId(0, 43)), Is.Null, "another job");
            Assert.That(wrappers[i].Wrap(secret, Job).Body.ToArray(), Is.Not.EqualTo(wrap.Body.ToArray()), "fresh randomness");
        }
    }

    [Test]
    public void A_wrap_that_was_changed_anywhere_opens_nothing()
    {
        using var secret = new JobSecret(Secret);
        using var shared = new SharedKey(new byte[SharedKey.Length]);
        using var mine = RecipientPrivateKey.New();
        using var phrase = new Passphrase("open sesame", 10);
        foreach (var (wrapper, key) in new (IKeyWrapper, IKeyUnwrapper)[] { (shared, shared), (phrase, phrase), (mine.Public, mine) })
        {
            var wrap = wrapper.Wrap(secret, Job);
            for (var at = 0; at < wrap.Body.Length; at++)
            {
                var body = wrap.Body.ToArray();
                // Not the passphrase's rounds: those only make it slow.
                body[at] ^= key == phrase && at < 4 ? (byte)0x80 : (byte)1;
                Assert.That(key.Unwrap(wrap with { Body = body }, Job), Is.Null, $"{wrap.Kind} at {at}");
            }
            Assert.That(key.Unwrap(wrap with { Body = wrap.Body[..^1] }, Job), Is.Null);
            Assert.That(key.Unwrap(wrap with { Body = default }, Job), Is.Null);
        }
    }

    [Test]
    public void A_header_cannot_make_its_reader_compute_for_long()
    {
        using var phrase = new Passphrase("open sesame", 10);
        using var secret = new JobSecret(Secret);
        var body = phrase.Wrap(secret, Job).Body.ToArray();
        foreach (var rounds in new[] { int.MaxValue, Passphrase.MostIterations + 1, 0, -1 })
        {
            BinaryPrimitives.WriteInt32BigEndian(body, rounds);
            Assert.That(phrase.Unwrap(new KeyWrap(KeyWrapKind.Passphrase, body), Job), Is.Null);
        }
    }

    [Test]
    public void Passphrases_are_the_same_however_their_letters_are_composed()
    {
        using var secret = new JobSecret(Secret);
        using var pairphrase = Two(i => new Passphrase(i == 1 ? "cafe\u0301 \U0001d160" : "caf\u00e9 \U0001d158\U0001d165\U0001d16e", 10));
        using var opened = pairphrase.First.Unwrap(pairphrase.Second.Wrap(secret, Job), Job);
        Assert.That(opened, Is.Not.Null);
    }

    [Test]
    public void Points_that_are_not_on_the_curve_are_refused()
    {
        using var mine = RecipientPrivateKey.New();
        using var secret = new JobSecret(Secret);
        var wrap = mine.Public.Wrap(secret, Job);
        var body = wrap.Body.ToArray();
        body.AsSpan(RecipientKey.IdLength + 1, 64).Clear();
        Assert.That(mine.Unwrap(wrap with { Body = body }, Job), Is.Null);
        var point = mine.Public.Point.ToArray();
        Assert.That(P256Point.IsValid(point));
        point[^1] ^= 1;
        Assert.That(() => new RecipientKey(point), Throws.InstanceOf<TransferException>());
        Assert.That(P256Point.IsValid([4, .. Enumerable.Repeat((byte)0xFF, 64)]), Is.False);
        Assert.That(P256Point.IsValid([]), Is.False);
    }

    [Test]
    public void Recipients_keys_have_a_file_and_a_word()
    {
        using var key = RecipientPrivateKey.New();
        Assert.That(RecipientKey.Parse($" {key.Public}\n"), Is.EqualTo(key.Public));
        using var read = RecipientPrivateKey.FromPem(key.ToPem());
        // Once: a passphrase takes its time.
        var encrypted = key.ToPem("secret");
        using var decrypted = RecipientPrivateKey.FromPem(encrypted, "secret");
        Assert.That(read.Public, Is.EqualTo(key.Public));
        Assert.That(decrypted.Public, Is.EqualTo(key.Public));
        Assert.That(encrypted, Does.StartWith("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
        foreach (var (pem, phrase) in new[] { (encrypted, "other"), (encrypted, null), ("no key", null), (WrongCurve(), null) })
        {
            Assert.That(
                () => RecipientPrivateKey.FromPem(pem, phrase),
                Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Auth));
        }
        foreach (var text in new[] { "", "p256:", "p256:AAAA", "p384:" + key.Public.ToString()[5..], key.Public.ToString()[..^1],
            key.Public + "A", "p256:!" })
        {
            Assert.That(() => RecipientKey.Parse(text), Throws.InstanceOf<TransferException>(), text);
        }
    }

    [Test]
    public void A_ring_finds_the_key_among_many_and_remembers_the_secret()
    {
        using var shared = new SharedKey(new byte[SharedKey.Length]);
        using var pairmine = Two(_ => RecipientPrivateKey.New());
        var (mine, theirs) = pairmine;
        using var phrase = new Passphrase("other", 10);
        using var keys = JobKeys.Create(theirs.Public, phrase, mine.Public);
        using var counting = new KeyRing(shared, mine);
        var header = Header(keys);
        using var first = counting.Open(header);
        using var second = counting.Open(header);
        Assert.That(first!.Bytes.ToArray(), Is.EqualTo(keys.Secret!.Bytes.ToArray()));
        Assert.That(second!.Bytes.ToArray(), Is.EqualTo(first.Bytes.ToArray()));
        using var none = new KeyRing(shared);
        Assert.That(() => none.Open(header),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Auth));
    }

    [Test]
    public void A_ring_tells_that_a_passphrase_is_another_and_of_nothing_else()
    {
        using var pairphrase = Two(i => new Passphrase($"{i}", 10));
        var (phrase, other) = pairphrase;
        using var shared = new SharedKey(new byte[SharedKey.Length]);
        using var withPhrase = new KeyRing(phrase);
        using var withKey = new KeyRing(shared);
        foreach (var (wrapper, ring, isOther) in new (IKeyWrapper, KeyRing,
            bool)[] { (shared, withPhrase, false), (phrase, withPhrase, false), (other, withKey, false), (other, withPhrase, true) })
        {
            using var keys = JobKeys.Create(wrapper);
            if (wrapper == phrase) ring.Open(Header(keys))!.Dispose();
            else Assert.That(() => ring.Open(Header(keys)), Throws.InstanceOf<TransferException>());
            Assert.That(ring.HasOtherPassphrase, Is.EqualTo(isOther));
        }
    }

    [Test]
    public void A_header_is_read_as_it_was_written()
    {
        using var shared = new SharedKey(new byte[SharedKey.Length]);
        using var phrase = new Passphrase("other", 10);
        using var keys = JobKeys.Create(shared, phrase);
        var bytes = Header(keys).ToBytes();
        var read = ArchiveHeader.Parse(bytes);
        Assert.That(read.ToBytes(), Is.EqualTo(bytes));
        Assert.That((read.Job, read.Index, read.IsSealed, read.MayBeRepeated, read.Wraps.Count), Is.EqualTo((keys.Job, 7L, true, true, 2)));
    }

    [Test]
    public void Any_header_gives_a_result_or_an_error()
    {
        using var shared = new SharedKey(new byte[SharedKey.Length]);
        using var keys = JobKeys.Create(shared);
        var valid = Header(keys).ToBytes();
        Prop.ForAll<byte[], int, byte>((bytes, at, value) =>
        {
            var changed = valid.ToArray();
            changed[(int)((uint)at % (uint)changed.Length)] = value;
            return Survives(bytes) && Survives(changed) && Survives(valid[..(int)((uint)at % (uint)valid.Length)])
                && Survives([.. valid, .. bytes]);
        }).QuickCheckThrowOnFailure();
    }

    private static bool Survives(byte[] bytes)
    {
        try
        {
            return ArchiveHeader.Parse(bytes).ToBytes().SequenceEqual(bytes);
        }
        catch (TransferException e) when (e.Error is TransferError.Protocol or TransferError.Unsupported)
        {
            return true;
        }
    }

    private static ArchiveHeader Header(JobKeys keys) => new()
    {
        Job = keys.Job,
        Index = 7,
        IsSealed = true,
        MayBeRepeated = true,
        Salt = new byte[ArchiveHeader.SaltLength],
        Wraps = keys.Wraps,
    };

    private static string WrongCurve()
    {
        using var key = ECDiffieHellman.Create(ECCurve.NamedCurves.nistP384);
        return key.ExportPkcs8PrivateKeyPem();
    }

    private static Pair<T> Two<T>(Func<int, T> make)
        where T : IDisposable => new(make(1), make(2));

    private sealed record Pair<T>(T First, T Second) : IDisposable
        where T : IDisposable
    {
        public void Dispose()
        {
            First.Dispose();
            Second.Dispose();
        }
    }
}
