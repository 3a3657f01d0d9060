using System.Net;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

public sealed class DialTargetTests
{
    [TestCase("192.0.2.1", "192.0.2.1", "192.0.2.1:21")]
    [TestCase("2001:db8::1", "2001:db8::1", "[2001:db8::1]:21")]
    [TestCase("[2001:DB8::1]", "2001:db8::1", "[2001:db8::1]:21")]
    public void Literals_are_addresses(string host, string address, string text)
    {
        var target = DialTarget.Parse(host, 21);
        Assert.That(target.Literal, Is.EqualTo(IPAddress.Parse(address)));
        Assert.That(target.ToString(), Is.EqualTo(text));
    }

    [TestCase("ftp.example.com", "ftp.example.com")]
    [TestCase("under_score.example", "under_score.example")]
    [TestCase("example.com.", "example.com.")]
    [TestCase("bücher.example", "xn--bcher-kva.example")]
    public void Names_are_ASCII(string host, string expected)
    {
        var target = DialTarget.Parse(host, 2121);
        Assert.That(target.Literal, Is.Null);
        Assert.That(target.ToString(), Is.EqualTo($"{expected}:2121"));
    }

    [TestCase("")]
    [TestCase("a\r\nb")]
    [TestCase("a\n")]
    [TestCase("a\0b")]
    [TestCase("a b")]
    [TestCase("a\u0085b")]
    [TestCase("127.0.0.1\r\nX: y")]
    [TestCase("::1\r\n")]
    [TestCase("host:21")]
    [TestCase("[::1]:21")]
    [TestCase("user@host")]
    [TestCase("host/path")]
    [TestCase("ü..example")]
    public void What_is_no_host_name_is_refused(string host) =>
        Assert.That(() => DialTarget.Parse(host, 21), Throws.InstanceOf<ArgumentException>());

    [Test]
    public void A_name_longer_than_any_name_is_refused() =>
        Assert.That(() => DialTarget.Parse(new string('a', 256), 21), Throws.InstanceOf<ArgumentException>());

    [TestCase(0)]
    [TestCase(-1)]
    [TestCase(65536)]
    public void Ports_are_checked(int port) =>
        Assert.That(() => DialTarget.Parse("host", port), Throws.InstanceOf<ArgumentOutOfRangeException>());
}
