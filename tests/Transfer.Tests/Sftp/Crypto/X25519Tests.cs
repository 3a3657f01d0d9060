using Transfer.Sftp.Crypto;

namespace Transfer.Tests.Sftp.Crypto;

public sealed class X25519Tests
{
    // RFC 7748 section 5.2.
    [TestCase("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")]
    [TestCase("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957")]
    public void A_scalar_times_a_point_is_what_the_RFC_says(string scalar, string point, string expected) =>
        Assert.That(Agree(scalar, point), Is.EqualTo(expected));

    [Test]
    public void A_thousand_rounds_give_what_the_RFC_says()
    {
        var k = new byte[32];
        k[0] = 9;
        var u = (byte[])k.Clone();
        var next = new byte[32];
        for (var i = 0; i < 1000; i++)
        {
            X25519.Agree(k, u, next);
            (u, k, next) = (k, next, u);
            if (i == 0)
                Assert.That(Convert.ToHexStringLower(k), Is.EqualTo("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"));
        }

        Assert.That(Convert.ToHexStringLower(k), Is.EqualTo("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"));
    }

    // RFC 7748 section 6.1.
    [Test]
    public void Both_sides_derive_and_agree_as_in_the_RFC()
    {
        const string Alice = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
        const string AlicePublic = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a";
        const string Bob = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
        const string BobPublic = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
        const string Shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742";
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Derive(Alice), Is.EqualTo(AlicePublic));
            Assert.That(Derive(Bob), Is.EqualTo(BobPublic));
            Assert.That(Agree(Alice, BobPublic), Is.EqualTo(Shared));
            Assert.That(Agree(Bob, AlicePublic), Is.EqualTo(Shared));
        }
    }

    [TestCase("0000000000000000000000000000000000000000000000000000000000000000")]
    [TestCase("0100000000000000000000000000000000000000000000000000000000000000")]
    [TestCase("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")]
    [TestCase("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")]
    [TestCase("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")]
    [TestCase("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")]
    [TestCase("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff")]
    [TestCase("0102")]
    public void A_peer_key_of_small_order_or_of_another_length_is_refused(string point)
    {
        var error =
            Assert.Throws<TransferException>(() => Agree("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a", point));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public void Values_from_p_up_and_the_highest_bit_are_taken_as_the_RFC_says()
    {
        const string Scalar = "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d";

        // p + 9 = 9, and 9 with bit 255.
        var nine = Derive(Scalar);
        Assert.That(Agree(Scalar, "f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), Is.EqualTo(nine));
        Assert.That(Agree(Scalar, "0900000000000000000000000000000000000000000000000000000000000080"), Is.EqualTo(nine));
    }

    [Test]
    public void Fresh_keys_agree_and_differ()
    {
        byte[] a = new byte[32], b = new byte[32], publicA = new byte[32], publicB = new byte[32], one = new byte[32], two = new byte[32];
        X25519.CreatePrivateKey(a);
        X25519.CreatePrivateKey(b);
        X25519.DerivePublicKey(a, publicA);
        X25519.DerivePublicKey(b, publicB);
        X25519.Agree(a, publicB, one);
        X25519.Agree(b, publicA, two);
        Assert.That(a, Is.Not.EqualTo(b));
        Assert.That(one, Is.EqualTo(two));
    }

    private static string Derive(string scalar)
    {
        var result = new byte[32];
        X25519.DerivePublicKey(Convert.FromHexString(scalar), result);
        return Convert.ToHexStringLower(result);
    }

    private static string Agree(string scalar, string point)
    {
        var result = new byte[32];
        X25519.Agree(Convert.FromHexString(scalar), Convert.FromHexString(point), result);
        return Convert.ToHexStringLower(result);
    }
}
