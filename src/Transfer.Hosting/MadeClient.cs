using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>A client, and what it was made of.</summary>
/// <param name="Client">The client.</param>
/// <param name="Keys">The client's keys, which it does not dispose of.</param>
/// <param name="Digest">The <see cref="SettingsDigest"/>.</param>
internal sealed record MadeClient(TransferClient Client, IReadOnlyList<SshIdentity> Keys, byte[] Digest);
