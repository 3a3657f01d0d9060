using System.Buffers;
using System.Text;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>Public keys as text: the type and the blob in base64, as in <c>.pub</c> and <c>known_hosts</c> files.</summary>
internal static class PublicKeyText
{
    private const string Rfc4716 = "---- BEGIN SSH2 PUBLIC KEY ----";

    /// <summary>Whether a text is a public key in one of the forms that key files have.</summary>
    public static bool IsPublicKey(ReadOnlySpan<byte> text)
    {
        if (text.StartsWith(Encoding.ASCII.GetBytes(Rfc4716))) return true;
        var end = text.IndexOfAny((byte)'\r', (byte)'\n');
        var fields = Encoding.UTF8.GetString(end < 0 ? text : text[..end]).Split(' ', 3, StringSplitOptions.RemoveEmptyEntries);
        return fields.Length >= 2 && TryDecode(fields[0], fields[1]) is not null;
    }

    /// <summary>The blob, or null when the text is no base64 or the blob's type is another than stated.</summary>
    public static byte[]? TryDecode(string type, string base64)
    {
        var blob = new byte[(base64.Length + 3) / 4 * 3];
        if (!Convert.TryFromBase64String(base64, blob, out var length)) return null;
        Array.Resize(ref blob, length);
        var start = new ArrayBufferWriter<byte>();
        start.WriteString(type);
        return blob.AsSpan().StartsWith(start.WrittenSpan) ? blob : null;
    }
}
