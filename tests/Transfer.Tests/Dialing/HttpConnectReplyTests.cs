using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

public sealed class HttpConnectReplyTests
{
    [TestCase("HTTP/1.1 200 Connection established\r\nX: y\r\n\r\n", 200)]
    [TestCase("HTTP/1.0 407 \r\n\r\n", 407)]
    [TestCase("HTTP/1.1 502\r\n\r\n", 502)]
    [TestCase("HTTP/1.1 999 Odd\n\n", 999)]
    public void The_status_is_the_first_lines_code(string header, int expected) =>
        Assert.That(HttpConnectReply.ParseStatus(Encoding.ASCII.GetBytes(header)), Is.EqualTo(expected));

    [TestCase("")]
    [TestCase("\r\n\r\n")]
    [TestCase("HTTP/2 200 OK\r\n\r\n")]
    [TestCase("HTTP/1.1 20 OK\r\n\r\n")]
    [TestCase("HTTP/1.1 2000 OK\r\n\r\n")]
    [TestCase("HTTP/1.1 099 OK\r\n\r\n")]
    [TestCase("HTTP/1.1  200 OK\r\n\r\n")]
    [TestCase("HTTP/x.1 200 OK\r\n\r\n")]
    [TestCase("220 FTP server ready\r\n\r\n")]
    public void Anything_else_is_no_status(string header) =>
        Assert.That(HttpConnectReply.ParseStatus(Encoding.ASCII.GetBytes(header)), Is.Null);

    [TestCase("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "220 hello\r\n")]
    [TestCase("HTTP/1.1 200 OK\n\n", "\n\n")]
    [TestCase("HTTP/1.1 200 OK\r\n\n", "\r\n\r\n")]
    [TestCase("HTTP/1.1 200 OK\n\r\n", "x")]
    [TestCase("HTTP/1.1 200 OK\r\nA: \r\rb\r\n\r\n", "")]
    public void Reading_what_is_missing_at_least_ends_exactly_at_the_end(string header, string tunnel)
    {
        var wire = Encoding.ASCII.GetBytes(header + tunnel);
        var read = 0;
        while (HttpConnectReply.LeastMissing(wire.AsSpan(0, read)) is > 0 and var missing) read += missing;
        Assert.That(read, Is.EqualTo(header.Length));
    }

    [Test]
    public void Arbitrary_bytes_are_never_read_past_their_first_empty_line()
    {
        var bytes = Gen.Elements((byte)'\r', (byte)'\n', (byte)'a', (byte)0).ArrayOf(40).ToArbitrary();
        Prop.ForAll(bytes, wire =>
        {
            var read = 0;
            while (read < wire.Length && HttpConnectReply.LeastMissing(wire.AsSpan(0, read)) is > 0 and var missing) read += missing;

            // The oracle: lines by LF, a CR before it taken off; the first empty line that is not the very first ends it.
            var text = Encoding.Latin1.GetString(wire);
            var end = -1;
            for (var at = text.IndexOf('\n', StringComparison.Ordinal); at >= 0 && end < 0;)
            {
                var next = text.IndexOf('\n', at + 1);
                if (next >= 0 && text[(at + 1)..next] is "" or "\r") end = next + 1;
                at = next;
            }
            return end < 0 ? read >= wire.Length : read == end;
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void Arbitrary_bytes_give_a_status_or_none() =>
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), bytes => HttpConnectReply.ParseStatus(bytes) is null or (>= 100 and <= 999))
            .QuickCheckThrowOnFailure();
}
