using Transfer.Testing.Faults;


namespace Transfer.Testing.Ftp.Data;

/// <summary>Moves content over an open data connection and returns the reply.</summary>
internal delegate Task<(int Code, string Text)> ContentMover(FtpSession session, DataConnection connection, Stream file, FaultRule? fault,
    CancellationToken abort);
