using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>One key exchange, from the server's KEXINIT to its NEWKEYS.</summary>
/// <param name="theirInit">That KEXINIT.</param>
/// <param name="algorithms">What both sides agree on.</param>
internal sealed class ExchangeUnderWay(byte[] theirInit, NegotiatedAlgorithms algorithms) : IDisposable
{
    public byte[] TheirInit => theirInit;

    public NegotiatedAlgorithms Algorithms => algorithms;

    /// <summary>Ours, until it has come to the secret.</summary>
    public KeyAgreement? Agreement { get; private set; } = KexAlgorithm.Get(algorithms.Method).Create();

    /// <summary>The server's next message was a wrong guess, and is passed over (RFC 4253 section 7).</summary>
    public bool SkipsGuess { get; set; }

    /// <summary>When our public value was sent, as a timestamp.</summary>
    public long Started { get; set; }

    /// <summary>Protects what comes after NEWKEYS; null: the secret is not there yet.</summary>
    public PacketCipher? NextReceiving { get; private set; }

    /// <summary>The secret is there: the agreement has done its work.</summary>
    public void Agreed(PacketCipher nextReceiving)
    {
        NextReceiving = nextReceiving;
        Agreement?.Dispose();
        Agreement = null;
    }

    /// <summary>Hands over the cipher, which is the reader's then.</summary>
    public PacketCipher? TakeReceiving()
    {
        var taken = NextReceiving;
        NextReceiving = null;
        return taken;
    }

    public void Dispose()
    {
        Agreement?.Dispose();
        NextReceiving?.Dispose();
    }
}
