namespace Transfer.Cli.Commands;

/// <summary>Names between the two sides.</summary>
internal static class RemoteTarget
{
    /// <summary>The name that a local file or folder keeps on the server.</summary>
    public static string NameOf(string localPath)
    {
        var name = Path.GetFileName(Path.TrimEndingDirectorySeparator(Transfer.LocalPath.Full(localPath)));
        if (name.Length == 0) throw new UsageException($"{localPath} has no name of its own to keep; name the target.");
        if (name.AsSpan().ContainsAny('\r', '\n', '\0')) throw new UsageException("A file whose name holds CR, LF or NUL is refused.");
        return name;
    }

    /// <summary>Refuses names that would not be a file in the folder they are put into. A server may say anything.</summary>
    /// <exception cref="TransferException">The name cannot be one here.</exception>
    public static string LocalPath(string folder, string name)
    {
        var valid = name is not ("" or "." or "..") && name.AsSpan().IndexOfAny('/', '\0') < 0;
        if (valid && OperatingSystem.IsWindows())
            valid = name.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) < 0 && !name.EndsWith('.') && !name.EndsWith(' ');
        return valid
            ? Path.Combine(folder, name)
            : throw new TransferException(TransferError.Unsupported, $"'{name}' cannot be the name of a file here.");
    }
}
