using System.Security.Cryptography;
using Transfer.Sftp.Crypto;

namespace Transfer.Tests.Sftp.Crypto;

/// <summary>
/// What Project Wycheproof knows to go wrong in implementations: edges of the field, twists, small orders, encodings, signatures that can
/// be changed.
/// </summary>
public sealed class WycheproofTests
{
    private static readonly Lazy<IReadOnlyList<string[]>> Vectors = new(Read);

    [Test]
    public void X25519_gives_every_secret_and_refuses_what_everybody_would_know()
    {
        foreach (var vector in Of("x25519", atLeast: 150))
        {
            var (privateKey, publicKey, secret) = (Bytes(vector[1]), Bytes(vector[2]), new byte[X25519.KeySize]);
            if (vector[3] == "-")
            {
                Assert.That(() => X25519.Agree(privateKey, publicKey, secret), Refused, vector[2]);
                continue;
            }

            X25519.Agree(privateKey, publicKey, secret);
            Assert.That(Convert.ToHexStringLower(secret), Is.EqualTo(vector[3]), vector[2]);
        }
    }

    [Test]
    public void Ed25519_takes_signatures_that_are_good_and_no_others()
    {
        foreach (var vector in Of("ed25519", atLeast: 150))
            Assert.That(Ed25519.Verify(Bytes(vector[1]), Bytes(vector[2]), Bytes(vector[3])), Is.EqualTo(vector[4] == "valid"), vector[3]);
    }

    [Test]
    public void ML_KEM_768_makes_the_keys_and_secrets_of_its_seeds()
    {
        foreach (var vector in Of("mlkem768-key", atLeast: 20))
        {
            Assert.That(Convert.ToHexStringLower(SHA256.HashData(new MlKem768(Bytes(vector[1])).PublicKey.Span)), Is.EqualTo(vector[2]),
                vector[1]);
        }

        foreach (var vector in Of("mlkem768", atLeast: 15))
        {
            var (pair, secret) = (new MlKem768(Bytes(vector[1])), new byte[MlKem768.SecretSize]);
            if (vector[3] == "-")
            {
                Assert.That(() => pair.Decapsulate(Bytes(vector[2]), secret), Refused, vector[2]);
                continue;
            }

            pair.Decapsulate(Bytes(vector[2]), secret);
            Assert.That(Convert.ToHexStringLower(secret), Is.EqualTo(vector[3]), vector[1]);
        }
    }

    [Test]
    public void Points_of_the_NIST_curves_are_taken_where_they_are_on_the_curve_and_uncompressed()
    {
        foreach (var vector in Of("ecdh", atLeast: 60))
        {
            var curve = NistCurve.Find(vector[1])!;
            if (vector[4] == "-")
            {
                Assert.That(() => curve.DecodePoint(Bytes(vector[3])), Refused, vector[3]);
                continue;
            }

            using var ours = ECDiffieHellman.Create(new ECParameters { Curve = curve.Curve, D = Coordinate(vector[2], curve.Size) });
            using var peer = ECDiffieHellman.Create(new ECParameters { Curve = curve.Curve, Q = curve.DecodePoint(Bytes(vector[3])) });
            using var key = peer.PublicKey;
            Assert.That(Convert.ToHexStringLower(ours.DeriveRawSecretAgreement(key)), Is.EqualTo(vector[4]), vector[3]);
        }
    }

    private static NUnit.Framework.Constraints.IResolveConstraint Refused =>
        Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol);

    private static List<string[]> Of(string kind, int atLeast)
    {
        var found = Vectors.Value.Where(vector => vector[0] == kind).ToList();
        Assert.That(found, Has.Count.AtLeast(atLeast));
        return found;
    }

    private static byte[] Bytes(string hexadecimal) => hexadecimal == "-" ? [] : Convert.FromHexString(hexadecimal);

    // The vectors' private numbers have a leading zero or lack them.
    private static byte[] Coordinate(string hexadecimal, int size)
    {
        var digits = hexadecimal.TrimStart('0').PadLeft(2 * size, '0');
        return Convert.FromHexString(digits);
    }

    private static List<string[]> Read()
    {
        using var stream = typeof(WycheproofTests).Assembly.GetManifestResourceStream("wycheproof.txt")!;
        using var reader = new StreamReader(stream);
        return [.. reader.ReadToEnd().Split('\n').Where(line => line.Length > 0 && line[0] != '#').Select(line => line.Split(' '))];
    }
}
