using System.Buffers;
using System.Text;

namespace Transfer.Sftp.Ssh.Wire;

/// <summary>The messages that the authentication protocol sends (RFC 4252, RFC 4256).</summary>
internal static class AuthMessages
{
    public const string None = "none";
    public const string PublicKey = "publickey";
    public const string Password = "password";
    public const string KeyboardInteractive = "keyboard-interactive";

    private const string Connection = "ssh-connection";

    public static byte[] ServiceRequest()
    {
        var writer = new ArrayBufferWriter<byte>(32);
        writer.WriteByte(MessageNumber.ServiceRequest);
        writer.WriteString("ssh-userauth"u8);
        return writer.WrittenSpan.ToArray();
    }

    public static byte[] NoneRequest(string user) => Begin(user, None).WrittenSpan.ToArray();

    /// <summary>The request with the password; the caller zeroes the message.</summary>
    public static byte[] PasswordRequest(string user, string password)
    {
        var writer = Begin(user, Password, Encoding.UTF8.GetByteCount(password));
        writer.WriteBoolean(false);
        writer.WriteString(password);
        return Secret(writer);
    }

    public static byte[] KeyboardRequest(string user)
    {
        var writer = Begin(user, KeyboardInteractive);
        writer.WriteString(""u8); // language
        writer.WriteString(""u8); // submethods
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>The answers to a round of questions; the caller zeroes the message.</summary>
    public static byte[] KeyboardAnswers(IReadOnlyList<string> answers)
    {
        var writer = new ArrayBufferWriter<byte>(16 + answers.Sum(answer => 4 + Encoding.UTF8.GetByteCount(answer)));
        writer.WriteByte(MessageNumber.AuthInfoResponse);
        writer.WriteUInt32((uint)answers.Count);
        foreach (var answer in answers) writer.WriteString(answer);
        return Secret(writer);
    }

    /// <summary>
    /// A query whether a key is accepted, or, with <paramref name="signs"/>, the signed start of the request (RFC 4252 section 7).
    /// </summary>
    public static byte[] KeyRequest(string user, string algorithm, ReadOnlyMemory<byte> blob, bool signs)
    {
        var writer = Begin(user, PublicKey, blob.Length);
        writer.WriteBoolean(signs);
        writer.WriteString(algorithm);
        writer.WriteString(blob.Span);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>The data that the key signs: the session and the request.</summary>
    public static byte[] SignedData(ReadOnlyMemory<byte> sessionId, byte[] request)
    {
        var writer = new ArrayBufferWriter<byte>(8 + sessionId.Length + request.Length);
        writer.WriteString(sessionId.Span);
        writer.Write(request);
        return writer.WrittenSpan.ToArray();
    }

    public static byte[] SignedRequest(byte[] request, byte[] signature)
    {
        var writer = new ArrayBufferWriter<byte>(request.Length + signature.Length + 8);
        writer.Write(request);
        writer.WriteString(signature);
        return writer.WrittenSpan.ToArray();
    }

    private static ArrayBufferWriter<byte> Begin(string user, string method, int more = 0)
    {
        // Of full size at once: a buffer that grows leaves copies behind.
        var writer = new ArrayBufferWriter<byte>(256 + Encoding.UTF8.GetMaxByteCount(user.Length) + more);
        writer.WriteByte(MessageNumber.AuthRequest);
        writer.WriteString(user);
        writer.WriteString(Connection);
        writer.WriteString(method);
        return writer;
    }

    private static byte[] Secret(ArrayBufferWriter<byte> writer)
    {
        var payload = writer.WrittenSpan.ToArray();
        writer.Clear();
        return payload;
    }
}
