using Transfer.Sftp;

namespace Transfer.Hosting;

/// <summary>A client, with its settings and keys.</summary>
/// <param name="Client">The client.</param>
/// <param name="Keys">The client's keys, which stay usable without the client.</param>
/// <param name="Digest">The <see cref="SettingsDigest"/>.</param>
internal sealed record MadeClient(TransferClient Client, IReadOnlyList<SshIdentity> Keys, byte[] Digest);
