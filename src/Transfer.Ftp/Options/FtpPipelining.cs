namespace Transfer.Ftp;

/// <summary>The commands that are sent together.</summary>
public enum FtpPipelining
{
    /// <summary>
    /// Batched on servers that are known to keep order, a file at a time on other servers, off on hosts that mixed up commands.
    /// </summary>
    Auto,

    /// <summary>One command at a time, the log-in's too, as stock clients do.</summary>
    Off,

    /// <summary>All commands of one file's transfer in one write.</summary>
    PerFile,

    /// <summary>Several files' commands in one write.</summary>
    Batched,
}
