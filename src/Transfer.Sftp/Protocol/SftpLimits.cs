using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>The limits of a server on requests and open files, as reported (limits@openssh.com), within reason.</summary>
/// <param name="Read">The most bytes of one READ.</param>
/// <param name="Write">The most bytes of one WRITE.</param>
/// <param name="Handles">The most handles open at once.</param>
internal readonly record struct SftpLimits(int Read, int Write, int Handles)
{
    /// <summary>The length that every server must take (draft-ietf-secsh-filexfer-02 section 3: 34,000 bytes a packet).</summary>
    private const int SafeLength = 32 * 1024;

    // OpenSSH's limit: the packet's 256 KiB less room for the head.
    private const int MostLength = 255 * 1024;
    private const int LeastLength = 1024;
    private const int MostHandles = 256;
    private const int SafeHandles = 100;
    private const int SafeListings = 64;

    // For listings, and for CLOSEs that the server has not handled yet.
    private const int SpareHandles = 8;

    /// <summary>The limits of servers that report none.</summary>
    public static SftpLimits Default { get; } = new(SafeLength, SafeLength, SafeHandles);

    /// <summary>The most directories listed at once.</summary>
    public int Listings { get; init; } = SafeListings;

    /// <summary>
    /// Reads the reply's fields. 0 and absurdly small values count as not reported; large values are cut to a useful size.
    /// </summary>
    public static SftpLimits Parse(ReadOnlySpan<byte> reply)
    {
        var reader = new SshReader(reply);
        var packet = reader.ReadUInt64();
        var read = reader.ReadUInt64();
        var write = reader.ReadUInt64();
        var handles = reader.ReadUInt64();
        var most = packet < SafeLength + LeastLength ? MostLength : (int)Math.Min(MostLength, packet - LeastLength);
        return new(Length(read, most), Length(write, most), Count(handles)) { Listings = handles == 0 ? SafeListings : Count(handles) };
    }

    private static int Length(ulong told, int most) => told < LeastLength ? SafeLength : (int)Math.Min(told, (ulong)most);

    private static int Count(ulong told) => told switch
    {
        0 => SafeHandles,
        <= SpareHandles => 1,
        _ => (int)Math.Min(told - SpareHandles, MostHandles),
    };
}
