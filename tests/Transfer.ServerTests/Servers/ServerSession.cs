namespace Transfer.ServerTests.Servers;

/// <summary>A connection at a server, by its processes.</summary>
/// <param name="Id">The one that the server began for it.</param>
/// <param name="Serving">The last one below that, or that itself: vsftpd and sshd have several, and the last one moves the files.</param>
public sealed record ServerSession(int Id, int Serving);
