using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;
using Transfer.Sftp.Crypto;

namespace Transfer.Tests.Sftp.Crypto;

public sealed class Ed25519Tests
{
    private static readonly BigInteger Order =
        BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493", CultureInfo.InvariantCulture);

    // RFC 8032 section 7.1: tests 1, 2, 3 and SHA(abc).
    [TestCase("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")]
    [TestCase("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")]
    [TestCase("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")]
    [TestCase("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704")]
    public void Keys_and_signatures_are_what_the_RFC_says(string seed, string publicKey, string message, string signature)
    {
        using var key = new Ed25519PrivateKey(Convert.FromHexString(seed));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Convert.ToHexStringLower(key.PublicKey), Is.EqualTo(publicKey));
            Assert.That(Convert.ToHexStringLower(key.Sign(Convert.FromHexString(message))), Is.EqualTo(signature));
            Assert.That(Ed25519.Verify(key.PublicKey, Convert.FromHexString(message), Convert.FromHexString(signature)));
        }
    }

    [Test]
    public void Every_flipped_bit_of_a_signature_a_message_or_a_key_is_noticed()
    {
        using var key = new Ed25519PrivateKey(new byte[32]);
        byte[] all = [.. key.PublicKey, .. key.Sign("hello"u8), .. "hello"u8];
        Assert.That(Ed25519.Verify(all.AsSpan(0, 32), all.AsSpan(96), all.AsSpan(32, 64)));
        for (var bit = 0; bit < 8 * all.Length; bit += 5)
        {
            all[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.That(Ed25519.Verify(all.AsSpan(0, 32), all.AsSpan(96), all.AsSpan(32, 64)), Is.False, $"bit {bit}");
            all[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Test]
    public void A_signature_whose_S_was_raised_by_L_is_refused()
    {
        using var key = new Ed25519PrivateKey(new byte[32]);
        var signature = key.Sign("hello"u8);
        var raised = new BigInteger(signature.AsSpan(32), isUnsigned: true) + Order;
        Assert.That(raised.TryWriteBytes(signature.AsSpan(32), out _, isUnsigned: true));
        Assert.That(Ed25519.Verify(key.PublicKey, "hello"u8, signature), Is.False);
    }

    [TestCase(63)]
    [TestCase(65)]
    [TestCase(0)]
    public void A_signature_of_another_length_is_refused(int length)
    {
        using var key = new Ed25519PrivateKey(new byte[32]);
        var signature = key.Sign("hello"u8);
        Array.Resize(ref signature, length);
        Assert.That(Ed25519.Verify(key.PublicKey, "hello"u8, signature), Is.False);
    }

    [TestCase("0100000000000000000000000000000000000000000000000000000000000000", Description = "the identity")]
    [TestCase("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", Description = "order 2")]
    [TestCase("0000000000000000000000000000000000000000000000000000000000000000", Description = "order 4")]
    [TestCase("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", Description = "order 8")]
    [TestCase("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", Description = "order 8")]
    [TestCase("0100000000000000000000000000000000000000000000000000000000000080", Description = "x = 0 with a sign")]
    [TestCase("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", Description = "y = p")]
    [TestCase("f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", Description = "y = p + 3, a point if taken modulo p")]
    [TestCase("0200000000000000000000000000000000000000000000000000000000000000", Description = "not on the curve")]
    [TestCase("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f70751", Description = "31 bytes")]
    public void What_is_no_public_key_is_refused_and_verifies_nothing(string key)
    {
        var bytes = Convert.FromHexString(key);

        // R = identity and S = 0 would satisfy the equation under every key of small order for some messages.
        var signature = new byte[64];
        signature[0] = 1;
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Ed25519.IsPublicKey(bytes), Is.False);
            for (var i = 0; i < 16; i++) Assert.That(Ed25519.Verify(bytes, Encoding.ASCII.GetBytes($"{i}"), signature), Is.False);
        }
    }

    [Test]
    public void A_key_that_was_disposed_of_signs_no_more()
    {
        var key = new Ed25519PrivateKey(RandomNumberGenerator.GetBytes(32));
        key.Dispose();
        Assert.Throws<ObjectDisposedException>(() => key.Sign("hello"u8));
    }
}
