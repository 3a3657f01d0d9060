using System.Text;

namespace Transfer.Ftp.Session;

/// <summary>Checks whether names can be sent on a control connection, so that a bad one fails alone and not its whole batch.</summary>
internal static class FtpNames
{
    /// <summary>Returns why a path can't be sent in an encoding; null: sendable.</summary>
    public static TransferException? WhyUnsendable(string path, Encoding encoding)
    {
        if (path.AsSpan().ContainsAny('\r', '\n', '\0'))
        {
            return new TransferException(TransferError.Unsupported,
                "FTP can't name a file whose name contains CR, LF or NUL.")
            { RemotePath = path };
        }

        if (Ascii.IsValid(path) || IsExact(path, encoding)) return null;
        return new TransferException(TransferError.Unsupported,
            $"The name can't be expressed exactly in {encoding.WebName}.")
        { RemotePath = path };
    }

    private static bool IsExact(string path, Encoding encoding)
    {
        try
        {
            return encoding.GetString(encoding.GetBytes(path)) == path;
        }
        catch (EncoderFallbackException)
        {
            return false;
        }
    }
}
