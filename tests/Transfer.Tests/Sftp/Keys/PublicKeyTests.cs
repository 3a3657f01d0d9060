using System.Buffers;
using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

public sealed class PublicKeyTests
{
    private static readonly string[] Lines =
    [
        TestKeys.Ed25519Public, TestKeys.Ecdsa256Public, TestKeys.Ecdsa384Public, TestKeys.Ecdsa521Public, TestRsaKeys.Public,
        TestCertificates.User, TestCertificates.Host, TestCertificates.Rsa,
    ];

    [TestCase(TestKeys.Ed25519Public, TestKeys.Ed25519Fingerprint)]
    [TestCase(TestKeys.Ecdsa256Public, TestKeys.Ecdsa256Fingerprint)]
    [TestCase(TestKeys.Ecdsa384Public, TestKeys.Ecdsa384Fingerprint)]
    [TestCase(TestKeys.Ecdsa521Public, TestKeys.Ecdsa521Fingerprint)]
    [TestCase(TestRsaKeys.Public, TestRsaKeys.Fingerprint)]
    public void A_key_has_the_type_the_blob_and_the_fingerprint_that_ssh_keygen_shows(string line, string fingerprint)
    {
        var key = Read.PublicKey(line);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(key.Type, Is.EqualTo(line.Split(' ')[0]));
            Assert.That(key.Blob.ToArray(), Is.EqualTo(Read.Blob(line)));
            Assert.That(key.Fingerprint, Is.EqualTo(fingerprint));
        }
    }

    [Test]
    public void Rsa_offers_SHA_2_only()
    {
        var key = Read.PublicKey(TestRsaKeys.Public);
        Assert.That(key.SignatureAlgorithms, Is.EqualTo(new[] { "rsa-sha2-512", "rsa-sha2-256" }));
        Assert.That(key.Verify("ssh-rsa", "data"u8, SignatureBlob.Write("ssh-rsa", new byte[256])), Is.False);
    }

    [Test]
    public void A_point_off_the_curve_is_refused([Values(TestKeys.Ecdsa256Public, TestKeys.Ecdsa384Public,
        TestKeys.Ecdsa521Public)] string line)
    {
        var blob = Read.Blob(line);
        blob[^1] ^= 1;
        Refused(blob, TransferError.Protocol);
    }

    [Test]
    public void Points_at_infinity_compressed_or_with_coordinates_from_p_up_are_refused()
    {
        var p = Convert.FromHexString("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF");
        Refused(Ecdsa("nistp256", [0]), TransferError.Protocol);
        Refused(Ecdsa("nistp256", [2, .. Read.Blob(TestKeys.Ecdsa256Public).AsSpan()[^64..^32]]), TransferError.Protocol);
        Refused(Ecdsa("nistp256", [4, .. p, .. p]), TransferError.Protocol);
        Refused(Ecdsa("nistp256", [4, .. new byte[64]]), TransferError.Protocol);
        Refused(Ecdsa("nistp384", Read.Blob(TestKeys.Ecdsa256Public).AsSpan()[^65..]), TransferError.Protocol);
    }

    [Test]
    public void Another_curve_than_the_type_says_is_refused()
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString("ecdsa-sha2-nistp256");
        writer.WriteString("nistp384");
        writer.WriteString(Read.Blob(TestKeys.Ecdsa384Public).AsSpan()[^97..]);
        Refused(writer.WrittenSpan.ToArray(), TransferError.Protocol);
    }

    [TestCase("ssh-dss")]
    [TestCase("sk-ssh-ed25519@openssh.com")]
    [TestCase("ecdsa-sha2-nistp224")]
    [TestCase("ssh-dss-cert-v01@openssh.com")]
    [TestCase("\u001b[31m")]
    public void Other_types_are_unsupported_and_named_without_control_characters(string type)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString(type);
        writer.WriteString(new byte[32]);
        var error = Refused(writer.WrittenSpan.ToArray(), TransferError.Unsupported);
        Assert.That(error.Message.Any(char.IsControl), Is.False);
    }

    [Test]
    public void Short_long_and_even_RSA_keys_are_refused()
    {
        Refused(Rsa([1, 0, 1], Odd(2047)), TransferError.Unsupported);
        Refused(Rsa([1, 0, 1], Odd(16385)), TransferError.Unsupported);
        Refused(Rsa([1, 0, 1], [0x80, .. new byte[255]]), TransferError.Protocol);
        Refused(Rsa([1], Odd(2048)), TransferError.Protocol);
        Refused(Rsa([], Odd(2048)), TransferError.Protocol);
        Refused(Rsa([1, .. new byte[8], 1], Odd(2048)), TransferError.Protocol);
        Assert.That(SshPublicKeys.Parse(Rsa([3], Odd(2048))).Type, Is.EqualTo("ssh-rsa"));
    }

    [Test]
    public void A_blob_that_is_not_canonical_is_refused()
    {
        Refused([.. Read.Blob(TestKeys.Ed25519Public), 0], TransferError.Protocol);
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString("ssh-rsa");
        writer.WriteString([0, 0, 3]);
        writer.WriteUnsignedInteger(Odd(2048));
        Refused(writer.WrittenSpan.ToArray(), TransferError.Protocol);
    }

    [Test]
    public void Whatever_the_bytes_a_key_or_a_TransferException_comes_out()
    {
        // Mutations of real blobs reach further than bytes without any sense.
        var mutations = from line in Gen.Elements(Lines)
                        from at in Gen.Choose(0, 4000)
                        from value in Gen.Choose(0,
            255)
                        from cut in Gen.Choose(0, 3)
                        select (line, at, value, cut);
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300), Prop.ForAll(mutations.ToArbitrary(), mutation =>
        {
            var blob = Read.Blob(mutation.line);
            blob[mutation.at % blob.Length] = (byte)mutation.value;
            if (mutation.cut == 0) blob = blob[..(mutation.at % blob.Length)];
            try
            {
                return SshPublicKeys.Parse(blob).Blob.Span.SequenceEqual(blob);
            }
            catch (TransferException error)
            {
                return error.Error is TransferError.Protocol or TransferError.Unsupported;
            }
        }));
    }

    private static TransferException Refused(byte[] blob, TransferError expected)
    {
        var error = Assert.Throws<TransferException>(() => SshPublicKeys.Parse(blob));
        Assert.That(error!.Error, Is.EqualTo(expected), error.Message);
        return error;
    }

    private static byte[] Ecdsa(string curve, ReadOnlySpan<byte> point)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString("ecdsa-sha2-" + curve);
        writer.WriteString(curve);
        writer.WriteString(point);
        return writer.WrittenSpan.ToArray();
    }

    private static byte[] Rsa(ReadOnlySpan<byte> exponent, ReadOnlySpan<byte> modulus)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString("ssh-rsa");
        writer.WriteUnsignedInteger(exponent);
        writer.WriteUnsignedInteger(modulus);
        return writer.WrittenSpan.ToArray();
    }

    private static byte[] Odd(int bits)
    {
        var modulus = RandomNumberGenerator.GetBytes((bits + 7) / 8);
        modulus[0] = (byte)(1 << ((bits - 1) % 8));
        modulus[^1] |= 1;
        return modulus;
    }
}
