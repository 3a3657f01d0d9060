using System.Buffers;
using System.Text;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Text in front of SFTP's first packet, which the user's shell has printed: sshd starts the server by that shell, with the files that the
/// shell reads at its start.
/// </summary>
internal static class ShellText
{
    private const int MaxRead = 1024;
    private const int MaxShown = 60;

    /// <summary>Throws when the first bytes of a session are no start of a packet: lengths begin with 0, and text does not.</summary>
    /// <param name="start">The bytes until now.</param>
    /// <param name="show">Makes a text of the server printable, and takes secrets out.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: text came.</exception>
    public static void ThrowIfAny(in ReadOnlySequence<byte> start, Func<string, string> show)
    {
        if (start.IsEmpty || start.FirstSpan[0] == 0) return;
        var text = show(Encoding.UTF8.GetString(start.Slice(0, Math.Min(start.Length, MaxRead))));
        throw new TransferException(TransferError.Protocol,
            $"The server's shell printed text before SFTP began: \"{(text.Length > MaxShown ? text[..MaxShown] + "…" : text)}\". "
            + "The files that it reads at its start must print nothing where the session is not interactive.");
    }
}
