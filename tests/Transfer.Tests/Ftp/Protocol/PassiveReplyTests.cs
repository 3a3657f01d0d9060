using System.Net;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

internal sealed class PassiveReplyTests
{
    [TestCase("Entering Extended Passive Mode (|||6446|)", 6446)]
    [TestCase("(!!!1!)", 1)]
    [TestCase("Entering Extended Passive Mode |||6446|", 6446)]
    [TestCase("ok ( |||6446| )", 6446)]
    [TestCase("(ready) |||6446|", 6446)]
    [TestCase("ok (|1|198.51.100.7|65535|).", 65535)]
    public void Epsv_gives_a_port(string text, int expected)
    {
        Assert.That(PassiveReply.TryParseEpsv(Reply(229, text), out var port), Is.True);
        Assert.That(port, Is.EqualTo(expected));
    }

    [TestCase("")]
    [TestCase("(")]
    [TestCase("(|||")]
    [TestCase("(|||)")]
    [TestCase("(||||)")]
    [TestCase("(|||0|)")]
    [TestCase("(|||65536|)")]
    [TestCase("(|||-1|)")]
    [TestCase("(|||99999999999|)")]
    [TestCase("(1116446 1)")]
    [TestCase("( 6446 )")]
    public void Other_texts_are_no_epsv(string text) => Assert.That(PassiveReply.TryParseEpsv(Reply(229, text), out _), Is.False);

    [TestCase("Entering Passive Mode (192,0,2,1,4,1).", "192.0.2.1:1025")]
    [TestCase("Entering Passive Mode 192,0,2,1,4,1", "192.0.2.1:1025")]
    [TestCase("=192,0,2,1,4,1", "192.0.2.1:1025")]
    [TestCase("mode 2 (0, 0, 0, 0, 255, 255)", "0.0.0.0:65535")]
    public void Pasv_gives_an_end_point(string text, string expected)
    {
        Assert.That(PassiveReply.TryParsePasv(Reply(227, text), out var endPoint), Is.True);
        Assert.That(endPoint.ToString(), Is.EqualTo(expected));
    }

    [TestCase("")]
    [TestCase("(192,0,2,1,4)")]
    [TestCase("(192,0,2,1,4,)")]
    [TestCase("(192,0,2,256,4,1)")]
    [TestCase("(192,0,2,1,0,0)")]
    [TestCase("(1,192,0,2,1,4,1)")]
    [TestCase("x192,0,2,1,4,1")]
    public void Other_texts_are_no_pasv(string text) => Assert.That(PassiveReply.TryParsePasv(Reply(227, text), out _), Is.False);

    [Test]
    public void Any_line_of_a_reply_may_hold_the_address()
    {
        Assert.That(PassiveReply.TryParseEpsv(new FtpReply(229, ["(hello)", "ok (|||6446|)"]), out var port), Is.True);
        Assert.That(port, Is.EqualTo(6446));
        Assert.That(PassiveReply.TryParsePasv(new FtpReply(227, ["hello", "(192,0,2,1,4,1)"]), out var endPoint), Is.True);
        Assert.That(endPoint.ToString(), Is.EqualTo("192.0.2.1:1025"));
    }

    [Test]
    public void Arbitrary_texts_never_throw() =>
        Prop.ForAll<string>(text =>
        {
            var reply = Reply(227, text);
            return (!PassiveReply.TryParseEpsv(reply, out var port) || port is > 0 and <= 65535)
                && (!PassiveReply.TryParsePasv(reply, out var endPoint) || endPoint.Port > 0);
        }).QuickCheckThrowOnFailure();

    [Test]
    public void Every_end_point_is_read_back() =>
        Prop.ForAll<byte[], ushort>((bytes, port) =>
        {
            var address = bytes.Concat(new byte[4]).Take(4).ToArray();
            return port == 0
                || (PassiveReply.TryParsePasv(Reply(227, $"({string.Join(',', address)},{port >> 8},{port & 255})"), out var pasv)
                    && pasv.Equals(new IPEndPoint(new IPAddress(address), port))
                    && PassiveReply.TryParseEpsv(Reply(229, $"(|||{port}|)"), out var epsv) && epsv == port);
        }).QuickCheckThrowOnFailure();

    [TestCase("10.0.0.5")]
    [TestCase("0.0.0.0")]
    [TestCase("203.0.113.9")]
    [TestCase("198.51.100.7")]
    public void Only_the_port_of_an_announcement_is_believed(string announced)
    {
        var peer = new IPEndPoint(IPAddress.Parse("198.51.100.7"), 21);
        Assert.That(PassiveReply.Fix(new IPEndPoint(IPAddress.Parse(announced), 5000), peer),
            Is.EqualTo(new IPEndPoint(peer.Address, 5000)));
    }

    private static FtpReply Reply(int code, string text) => new(code, [text]);

    [TestCase("8.8.8.8", "10.0.0.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "127.0.0.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "169.254.1.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "172.31.0.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "192.168.1.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "100.64.0.1", "8.8.8.8")]
    [TestCase("8.8.8.8", "0.0.0.0", "8.8.8.8")]
    [TestCase("8.8.8.8", "9.9.9.9", "9.9.9.9")]
    [TestCase("10.0.0.1", "10.0.0.2", "10.0.0.2")]
    [TestCase("127.0.0.1", "127.0.0.7", "127.0.0.7")]
    public void A_public_server_leads_to_no_private_address(string peer, string announced, string followed) =>
        Assert.That(PassiveReply.Follow(new IPEndPoint(IPAddress.Parse(announced), 5), new IPEndPoint(IPAddress.Parse(peer), 21)),
            Is.EqualTo(new IPEndPoint(IPAddress.Parse(followed), 5)));
}
