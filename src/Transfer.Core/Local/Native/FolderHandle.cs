using Microsoft.Win32.SafeHandles;

namespace Transfer.Local.Native;

/// <summary>A folder that is read: DIR* of opendir(3).</summary>
internal sealed class FolderHandle : SafeHandleZeroOrMinusOneIsInvalid
{
    private FolderHandle(nint folder)
        : base(ownsHandle: true) => SetHandle(folder);

    /// <summary>Opens a folder. Check for <see cref="System.Runtime.InteropServices.SafeHandle.IsInvalid"/>: the reason is the last error
    /// then.</summary>
    public static FolderHandle Open(string path) => new(Libc.OpenFolder(path));

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Libc.CloseFolder(handle) == 0;
}
