namespace Transfer.Testing.Stores;

/// <summary>The exception of a full disk, which the framework marks only by the HRESULT.</summary>
internal static class DiskFull
{
    private const int ErrorDiskFull = unchecked((int)0x80070070);
    private const int ErrorHandleDiskFull = unchecked((int)0x80070027);
    private const int LinuxNoSpace = 28;
    private const int LinuxOverQuota = 122;

    public static IOException Create() => new("The store is full.", ErrorDiskFull);

    public static bool IsDiskFull(IOException error) =>
        error.HResult is ErrorDiskFull or ErrorHandleDiskFull or LinuxNoSpace or LinuxOverQuota;
}
