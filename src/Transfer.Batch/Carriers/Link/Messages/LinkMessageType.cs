namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The type of a message, its first byte. docs/batch.md has the table.</summary>
internal enum LinkMessageType : byte
{
    /// <summary>Each side's first message: version, nonce and proof.</summary>
    Hello = 1,

    /// <summary>Sender: this lane is one of a job's.</summary>
    JobBegin = 2,

    /// <summary>Receiver: the job may begin, or goes on.</summary>
    JobAccepted = 3,

    /// <summary>Sender: an archive begins.</summary>
    ArchiveBegin = 4,

    /// <summary>Sender: bytes of the archive that has begun.</summary>
    ArchiveData = 5,

    /// <summary>Sender: the end of the archive's bytes.</summary>
    ArchiveEnd = 6,

    /// <summary>Sender: the archive that has begun is given up.</summary>
    ArchiveAbandoned = 7,

    /// <summary>Receiver: a file that could not be written, before the archive's receipt.</summary>
    FileFailure = 8,

    /// <summary>Receiver: an archive's files are safe.</summary>
    Receipt = 9,

    /// <summary>Receiver: an archive was refused as a whole.</summary>
    ArchiveRefused = 10,

    /// <summary>Sender: every archive is confirmed or given up.</summary>
    JobEnd = 11,

    /// <summary>Receiver: the job is over here too.</summary>
    JobDone = 12,

    /// <summary>Sender: the last word was heard.</summary>
    Bye = 13,

    /// <summary>Either: why the connection is ended.</summary>
    Error = 14,

    /// <summary>Either: still here.</summary>
    Ping = 15,

    /// <summary>Receiver: a skipped file, before the archive's receipt.</summary>
    FileSkipped = 16,

    /// <summary>Sender: the request for the receiver's version of a file.</summary>
    SignatureWanted = 17,

    /// <summary>Receiver: the hashes of a file's blocks, or that there are none; in parts.</summary>
    Signature = 18,
}
