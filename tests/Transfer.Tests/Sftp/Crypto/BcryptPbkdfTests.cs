using System.Text;
using Transfer.Sftp.Crypto;

namespace Transfer.Tests.Sftp.Crypto;

public sealed class BcryptPbkdfTests
{
    // The vectors of OpenBSD's own regression test.
    [TestCase("password", "salt", 4, "5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9")]
    [TestCase("password", "\0", 4, "c12b566235eee04c212598970a579a67")]
    [TestCase("\0", "salt", 4, "6051be18c2f4f82cbf0efee5471b4bb9")]
    [TestCase("password\0", "salt\0", 4, "7410e44cf4fa07bfaac8a928b1727fac001375e7bf7384370f48efd121743050")]
    public void Keys_are_what_OpenBSD_derives(string passphrase, string salt, int rounds, string expected)
    {
        var key = new byte[expected.Length / 2];
        BcryptPbkdf.Derive(Encoding.ASCII.GetBytes(passphrase), Encoding.ASCII.GetBytes(salt), rounds, key, default);
        Assert.That(Convert.ToHexStringLower(key), Is.EqualTo(expected));
    }

    [Test]
    public void The_words_of_pi_are_Blowfishs_tables()
    {
        var words = PiDigits.Words(1042);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(words[0], Is.EqualTo(0x243F6A88u), "the first subkey");
            Assert.That(words[17], Is.EqualTo(0x8979FB1Bu), "the last subkey");
            Assert.That(words[18], Is.EqualTo(0xD1310BA6u), "the first word of the first box");
            Assert.That(words[1041], Is.EqualTo(0x3AC372E6u), "the last word of the last box");
        }
    }

    [Test]
    public void Blowfish_encrypts_as_published()
    {
        // The first of Eric Young's published vectors: a key of eight zeros, a block of zeros.
        using var blowfish = new Blowfish();
        blowfish.Reset();
        blowfish.Expand([], new byte[8]);
        uint left = 0, right = 0;
        blowfish.Encrypt(ref left, ref right);
        Assert.That((left, right), Is.EqualTo((0x4EF99745u, 0x6198DD78u)));
    }

    [Test]
    public void Derivation_stops_when_it_is_canceled()
    {
        using var canceled = new CancellationTokenSource();
        canceled.Cancel();
        Assert.Throws<OperationCanceledException>(() => BcryptPbkdf.Derive("a"u8, "b"u8, 16, new byte[32], canceled.Token));
    }
}
