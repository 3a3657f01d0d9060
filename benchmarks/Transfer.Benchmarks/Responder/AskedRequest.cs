using Transfer.Sftp.Protocol;

namespace Transfer.Benchmarks.Responder;

/// <summary>A request to be answered.</summary>
/// <param name="Type">What is asked for.</param>
/// <param name="Id">Its number.</param>
/// <param name="Count">READ: how many bytes.</param>
internal readonly record struct AskedRequest(SftpPacketType Type, uint Id, int Count);
