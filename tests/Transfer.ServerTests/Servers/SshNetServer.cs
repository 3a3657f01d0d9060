using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet;

namespace Transfer.ServerTests.Servers;

/// <summary>OpenSSH's sshd whose clients go through SSH.NET.</summary>
internal sealed class SshNetServer(ServerVariant variant) : OpenSshServer(variant)
{
    public override TransferClient Client(Uri endpoint, Func<TransferClientOptions, TransferClientOptions>? change = null)
    {
        var options = change is null ? Options() : (SshNetOptions)change(Options());
        return new SshNetTransferClient(() => Connection(endpoint.Host, endpoint.Port, options.Credential ?? Credential),
            Uri.UnescapeDataString(endpoint.AbsolutePath), options);
    }

    /// <summary>What an application connects by.</summary>
    public ConnectionInfo Connection(string host = "localhost", int? port = null, TransferCredential? credential = null)
    {
        var user = credential ?? Credential;
        return new ConnectionInfo(host, port ?? Port, user.UserName, new PasswordAuthenticationMethod(user.UserName, user.Password));
    }

    /// <summary>Options of a client that knows the server's host keys.</summary>
    public SshNetOptions Options() => new()
    {
        Retry = SoonAgain,
        IdleTimeout = TimeSpan.FromSeconds(20),
        HostKeys = new SshHostKeyOptions { KnownHostsFiles = [KnownHosts] },
    };
}
