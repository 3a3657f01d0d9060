using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

internal sealed class ReplyErrorsTests
{
    [TestCase(425, "RETR", TransferError.Lost, true)]
    [TestCase(426, "RETR", TransferError.Lost, true)]
    [TestCase(451, "STOR", TransferError.Lost, true)]
    [TestCase(430, "PASS", TransferError.Auth, false)]
    [TestCase(530, "PASS", TransferError.Auth, false)]
    [TestCase(331, "USER", TransferError.Auth, false)]
    [TestCase(332, "PASS", TransferError.Auth, false)]
    [TestCase(532, "STOR", TransferError.Auth, false)]
    [TestCase(431, "AUTH", TransferError.Tls, true)]
    [TestCase(450, "RETR", TransferError.Denied, true)]
    [TestCase(452, "STOR", TransferError.Quota, false)]
    [TestCase(552, "STOR", TransferError.Quota, false)]
    [TestCase(500, "MLSD", TransferError.Unsupported, false)]
    [TestCase(502, "MLSD", TransferError.Unsupported, false)]
    [TestCase(504, "MODE", TransferError.Unsupported, false)]
    [TestCase(501, "REST", TransferError.Protocol, false)]
    [TestCase(503, "RNTO", TransferError.Protocol, false)]
    [TestCase(554, "REST", TransferError.Protocol, false)]
    [TestCase(521, "MKD", TransferError.Exists, false)]
    [TestCase(521, "STOR", TransferError.Tls, false)]
    [TestCase(522, "EPSV", TransferError.Unsupported, false)]
    [TestCase(522, "STOR", TransferError.Tls, false)]
    [TestCase(534, "AUTH", TransferError.Tls, false)]
    [TestCase(536, "PROT", TransferError.Tls, false)]
    [TestCase(550, "RETR", TransferError.NotFound, false)]
    [TestCase(550, "STOR", TransferError.Denied, false)]
    [TestCase(553, "STOR", TransferError.Denied, false)]
    [TestCase(200, "STOR", TransferError.Protocol, false)]
    [TestCase(350, "RETR", TransferError.Protocol, false)]
    [TestCase(429, "RETR", TransferError.Lost, true)]
    [TestCase(459, "RETR", TransferError.Denied, true)]
    [TestCase(599, "RETR", TransferError.Protocol, false)]
    public void Codes_are_kinds_of_errors(int code, string verb, TransferError error, bool transient)
    {
        var e = ReplyErrors.ToException(new FtpReply(code, ["text"]), new FtpCommand(verb, "/a"), "/a");
        Assert.That((e.Error, e.IsTransient, e.ServerCode, e.RemotePath), Is.EqualTo((error, transient, (int?)code, "/a")));
        Assert.That(e, Is.TypeOf<TransferException>());
    }

    [Test]
    public void The_caller_can_say_what_a_550_is_about()
    {
        var reply = new FtpReply(550, ["no"]);
        Assert.That(ReplyErrors.ToException(reply, new FtpCommand("CWD"), writes: true).Error, Is.EqualTo(TransferError.Denied));
        Assert.That(ReplyErrors.ToException(reply, new FtpCommand("STOR"), writes: false).Error, Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public void A_421_ends_the_session()
    {
        var e = ReplyErrors.ToException(new FtpReply(421, ["bye"]), new FtpCommand("STOR"));
        Assert.That(e, Is.TypeOf<TransferConnectionException>());
        Assert.That((e.Error, e.IsTransient, e.ServerCode), Is.EqualTo((TransferError.Lost, true, (int?)421)));
    }

    [Test]
    public void Every_code_maps_and_no_message_shows_a_secret()
    {
        for (var code = 100; code < 600; code++)
        {
            var e = ReplyErrors.ToException(new FtpReply(code, ["PASS hunter2 refused"]), new FtpCommand("PASS", "hunter2"));
            Assert.That(e.Message, Does.Not.Contain("hunter2"));
            Assert.That(e.ServerCode, Is.EqualTo(code));
        }
    }
}
