namespace Transfer.Sftp;

/// <summary>Answers questions of a server's, one string for each prompt, in order (keyboard-interactive, RFC 4256), and that for an encrypted key file's passphrase. Null gives up.</summary>
/// <param name="request">What the server asks.</param>
/// <param name="cancellationToken">Fires when nobody waits for the answer any more.</param>
public delegate ValueTask<IReadOnlyList<string>?> SshInteraction(SshQuestions request, CancellationToken cancellationToken);
