namespace Transfer.Ftp.Protocol;

/// <summary>The bytes that the lines of several replies may take together. Used by the reader of one control connection.</summary>
/// <param name="bytes">Their number.</param>
internal sealed class FtpLineRoom(int bytes)
{
    private int _left = bytes;

    /// <summary>Takes bytes; false: too few are left.</summary>
    public bool TryTake(int count)
    {
        if (count > _left) return false;
        _left -= count;
        return true;
    }
}
