using System.Security.Cryptography;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>A receiver's identity on disk, so that a restarted receiver has the same address. Accessible to one user only.</summary>
internal static class DirectIdentityFile
{
    private const string FileName = "receiver.key";
    private const string KeyLabel = "PRIVATE KEY";
    private const string SecretLabel = "TRANSFER SECRET";
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode PrivateFolder = Private | UnixFileMode.UserExecute;
    private const int MaxLength = 64 * 1024;

    /// <summary>Reads the identity, or creates a missing one.</summary>
    /// <exception cref="TransferException">The file can't be read or written, is malformed, or is readable by other users
    /// (<see cref="TransferError.Denied"/>).</exception>
    public static DirectIdentity Open(string folder)
    {
        var path = Path.Combine(folder, FileName);
        try
        {
            if (!OperatingSystem.IsWindows()) Directory.CreateDirectory(folder, PrivateFolder);
            else Directory.CreateDirectory(folder);
            return Read(path) ?? Make(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The receiver's key can't be kept:", path);
        }
    }

    private static DirectIdentity? Read(string path)
    {
        FileStream file;
        try
        {
            file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        using (file)
        {
            if (!OperatingSystem.IsWindows() && (File.GetUnixFileMode(file.SafeFileHandle) & ~PrivateFolder) != 0)
            {
                throw new TransferException(TransferError.Denied,
                    $"{path} can be read by others than its owner, so it is not to be trusted: delete it, or chmod 600.");
            }

            if (file.Length > MaxLength) throw Malformed(path);
            using var reader = new StreamReader(file);
            return Parse(reader.ReadToEnd(), path);
        }
    }

    private static DirectIdentity Parse(string text, string path)
    {
        ECDsa? key = null;
        byte[]? secret = null;
        try
        {
            for (var rest = text.AsSpan(); PemEncoding.TryFind(rest, out var found); rest = rest[found.Location.End..])
            {
                var bytes = Convert.FromBase64String(rest[found.Base64Data].ToString());
                switch (rest[found.Label])
                {
                    case KeyLabel:
                        key = ECDsa.Create();
                        key.ImportPkcs8PrivateKey(bytes, out _);
                        CryptographicOperations.ZeroMemory(bytes);
                        break;
                    case SecretLabel when bytes.Length == BatchToken.SecretLength:
                        secret = bytes;
                        break;
                }
            }
        }
        catch (CryptographicException)
        {
            key?.Dispose();
            throw Malformed(path);
        }
        if (key is not null && secret is not null) return new DirectIdentity(key, secret);
        key?.Dispose();
        throw Malformed(path);
    }

    private static DirectIdentity Make(string path)
    {
        var identity = DirectIdentity.Create();
        var key = identity.ExportKey();
        var text = PemEncoding.WriteString(KeyLabel, key) + "\n" + PemEncoding.WriteString(SecretLabel, identity.Token.Secret) + "\n";
        CryptographicOperations.ZeroMemory(key);
        var temporary = $"{path}.{RandomNumberGenerator.GetHexString(16, lowercase: true)}";
        var isMade = false;
        try
        {
            // Never a file that another user has created under this name.
            var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows()) options.UnixCreateMode = Private;
            using (var writer = new StreamWriter(temporary, options))
            {
                isMade = true;
                writer.Write(text);
            }
            File.Move(temporary, path, overwrite: false);
            return identity;
        }
        catch (Exception e)
        {
            identity.Dispose();
            if (isMade) File.Delete(temporary);
            // Another receiver was first: both share the identity.
            if (e is IOException && File.Exists(path)) return Read(path) ?? throw Malformed(path);
            throw;
        }
    }

    private static TransferException Malformed(string path) =>
        new(TransferError.Protocol, $"{path} is no receiver's key: delete it, and one is made anew.");
}
