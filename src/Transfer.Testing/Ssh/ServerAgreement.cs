using Transfer.Sftp.Ssh.Agreements;

namespace Transfer.Testing.Ssh;

/// <summary>The server's half of a key exchange: the same as the client's for Diffie-Hellman, the opposite for an encapsulation.</summary>
internal static class ServerAgreement
{
    private const string MlKem = "mlkem768x25519-sha256";

    public static KeyAgreement Create(string method) => method == MlKem ? new MlKemServerAgreement() : KexAlgorithm.Get(method).Create();
}
