namespace Transfer.Sftp.Session;

/// <summary>A way in which a server differs from most others. The numbers are kept in files: they never change, and 2 is used up.</summary>
internal enum SftpTrait
{
    /// <summary>Times that are set have no effect, or are refused.</summary>
    NoTimes = 1,

    /// <summary>Requests run at once, and later ones overtake earlier ones: one that builds upon another waits for the reply.</summary>
    Unordered = 3,

    /// <summary>OPEN takes the flags of fopen's modes only.</summary>
    NamedModes = 4,

    /// <summary>RENAME gives a file a new time: it is a copy at the back end, as in stores of objects.</summary>
    RenewsTimes = 5,

    /// <summary>Any absent name is described as a folder: to a store of objects each name may be a prefix.</summary>
    PhantomFolders = 6,

    /// <summary>SETSTAT and FSETSTAT get no reply, or sessions end there.</summary>
    NoAttributes = 7,

    /// <summary>posix-rename@openssh.com fails, or does nothing, where RENAME does not.</summary>
    NoPosixRename = 8,

    /// <summary>SYMLINK takes the link's path first, as the draft has it; OpenSSH and most servers take the text first.</summary>
    LinkPathFirst = 9,

    /// <summary>Times have steps of two seconds, as on FAT.</summary>
    CoarseTimes = 10,
}
