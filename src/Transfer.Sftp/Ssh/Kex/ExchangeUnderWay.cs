using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>One key exchange, from the server's KEXINIT to its NEWKEYS.</summary>
/// <param name="theirInit">The server's KEXINIT.</param>
/// <param name="algorithms">The agreed algorithms.</param>
internal sealed class ExchangeUnderWay(byte[] theirInit, NegotiatedAlgorithms algorithms) : IDisposable
{
    public byte[] TheirInit => theirInit;

    public NegotiatedAlgorithms Algorithms => algorithms;

    /// <summary>The client's half, until the secret is agreed.</summary>
    public KeyAgreement? Agreement { get; private set; } = KexAlgorithm.Get(algorithms.Method).Create();

    /// <summary>Whether the server's next message is a wrong guess, and is skipped (RFC 4253 section 7).</summary>
    public bool SkipsGuess { get; set; }

    /// <summary>The timestamp of the client's public value.</summary>
    public long Started { get; set; }

    /// <summary>The cipher for packets after NEWKEYS; null until the secret is agreed.</summary>
    public PacketCipher? NextReceiving { get; private set; }

    /// <summary>Ends the agreement: the secret is agreed.</summary>
    public void Agreed(PacketCipher nextReceiving)
    {
        NextReceiving = nextReceiving;
        Agreement?.Dispose();
        Agreement = null;
    }

    /// <summary>Hands the cipher over to the reader.</summary>
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
