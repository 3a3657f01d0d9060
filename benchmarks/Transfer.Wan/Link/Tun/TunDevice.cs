using System.Text;

namespace Transfer.Wan.Link.Tun;

/// <summary>
/// One end of the link: a TUN device (IP packets, no Ethernet) that hands over checksums and segmentation to whoever reads it, as a network
/// card with TSO:
/// so the kernel passes up to 64 KiB a call. It goes when it is closed.
/// </summary>
internal sealed unsafe class TunDevice : IDisposable
{
    private const nuint SetInterface = 0x400454ca;
    private const nuint SetOffload = 0x400454d0;
    private const short Tun = 0x0001;
    private const short NoPacketInformation = 0x1000;
    private const short VirtioHeaders = 0x4000;

    // TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6, TUN_F_TSO_ECN
    private const nint Offload = 0x01 | 0x02 | 0x04 | 0x08;
    private const int NameSize = 16;
    private const int RequestSize = 40;

    private TunDevice(int file) => File = file;

    public int File { get; }

    /// <summary>Makes a device in the namespace of the calling thread.</summary>
    public static TunDevice Create(string name)
    {
        var file = LibC.Open("/dev/net/tun", LibC.ReadWrite | LibC.NonBlocking | LibC.CloseOnExec);
        LibC.ThrowIfFailed(file, "/dev/net/tun");
        var device = new TunDevice(file);
        try
        {
            var request = stackalloc byte[RequestSize];
            new Span<byte>(request, RequestSize).Clear();
            Encoding.ASCII.GetBytes(name, new Span<byte>(request, NameSize - 1));
            *(short*)(request + NameSize) = Tun | NoPacketInformation | VirtioHeaders;
            LibC.ThrowIfFailed(LibC.Control(file, SetInterface, (nint)request), "TUNSETIFF");
            LibC.ThrowIfFailed(LibC.Control(file, SetOffload, Offload), "TUNSETOFFLOAD");
            return device;
        }
        catch
        {
            device.Dispose();
            throw;
        }
    }

    public void Dispose() => _ = LibC.Close(File);
}
