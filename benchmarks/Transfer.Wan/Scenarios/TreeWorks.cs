namespace Transfer.Wan.Scenarios;

/// <summary>Names and figures of operations on trees.</summary>
internal static class TreeWorks
{
    /// <summary>The permissions of <see cref="TreeWork.Modes"/>, in octal digits.</summary>
    public const string Octal = "750";

    /// <inheritdoc cref="Octal"/>
    public const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead | UnixFileMode.GroupExecute;

    /// <summary>The operation's word in scenarios and records, in place of a direction.</summary>
    public static string Word(this TreeWork work) => work switch
    {
        TreeWork.List => "ls",
        TreeWork.Sync => "sync",
        TreeWork.Delete => "rm",
        _ => "chmod",
    };

    /// <summary>The operation in the words of a report.</summary>
    public static string Title(this TreeWork work) => work switch
    {
        TreeWork.List => "list all",
        TreeWork.Sync => "synchronize, nothing new",
        TreeWork.Delete => "delete all",
        _ => "permissions of all",
    };
}
