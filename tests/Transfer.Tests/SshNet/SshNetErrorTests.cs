using System.Net.Sockets;
using Renci.SshNet.Common;
using Renci.SshNet.Sftp;
using Transfer.SshNet.Session;

namespace Transfer.Tests.SshNet;

/// <summary>SSH.NET's exceptions as errors: by their types and codes.</summary>
[TestFixture]
public sealed class SshNetErrorTests
{
    private static IEnumerable<TestCaseData> Exceptions()
    {
        yield return new(new SftpPathNotFoundException("gone", "/a"), TransferError.NotFound, false);
        yield return new(new SftpPermissionDeniedException("no"), TransferError.Denied, false);
        yield return new(new SftpException(StatusCode.Failure), TransferError.Denied, false);
        yield return new(new SftpException(StatusCode.OperationUnsupported), TransferError.Unsupported, false);
        yield return new(new SftpException((StatusCode)11), TransferError.Exists, false);
        yield return new(new SftpException((StatusCode)14), TransferError.Quota, false);
        yield return new(new SftpException(StatusCode.ConnectionLost), TransferError.Lost, true);
        yield return new(new SshAuthenticationException("Permission denied (password)."), TransferError.Auth, false);
        yield return new(new SshPassPhraseNullOrEmptyException("passphrase"), TransferError.Auth, false);
        yield return new(new SshOperationTimeoutException("late"), TransferError.Timeout, true);
        yield return new(new SshConnectionException("closed"), TransferError.Lost, true);
        yield return new(new ProxyException("refused"), TransferError.Lost, true);
        yield return new(new SocketException((int)SocketError.ConnectionRefused), TransferError.Lost, true);
        yield return new(new ObjectDisposedException("client"), TransferError.Lost, true);
        yield return new(new NotSupportedException("no such extension"), TransferError.Unsupported, false);
        yield return new(new InvalidOperationException("not foreseen"), TransferError.Protocol, true);
    }

    [TestCaseSource(nameof(Exceptions))]
    public void An_exception_is_an_error_of_its_kind_and_ends_the_session_where_that_is_lost(Exception exception, TransferError kind,
        bool isLost)
    {
        var error = SshNetErrors.Map(exception, "Cannot read", "/a");

        Assert.That((error.Error, error is TransferConnectionException), Is.EqualTo((kind, isLost)), error.ToString());
        Assert.That(error.InnerException, Is.SameAs(exception));
        Assert.That(error.Message, Does.StartWith("Cannot read /a: "));
    }

    [Test]
    public void A_refusal_has_its_path_and_code()
    {
        var error = SshNetErrors.Map(new SftpPermissionDeniedException("no"), "Cannot read", "/a");

        Assert.That((error.RemotePath, error.ServerCode, error.IsTransient), Is.EqualTo(("/a", 3, false)));
    }
}
