namespace Transfer.Fuzz;

/// <summary>One reader of bytes that nobody vouches for.</summary>
/// <param name="Name">As the command and the folder of seeds have it.</param>
/// <param name="Read">Reads the input; a <see cref="TransferException"/> is an answer, any other exception a finding.</param>
/// <param name="Errors">The kinds of error that a bad input may give.</param>
/// <param name="Room">Bytes that may be allocated beside 256 for each byte of the input.</param>
internal sealed record FuzzTarget(string Name, Action<byte[]> Read, TransferError[] Errors, long Room = 1 << 20)
{
    private const int RoomForByte = 256;

    /// <summary>Runs the target on an input; false: it was told to be wrong.</summary>
    /// <exception cref="FuzzException">The reader allocated out of proportion, or failed with an error of the wrong kind.</exception>
    public bool Run(byte[] input)
    {
        var taken = true;
        var before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            Read(input);
        }
        catch (TransferException error)
        {
            if (!Errors.Contains(error.Error))
                throw new FuzzException($"{Name}: an input that is wrong is told as {error.Error}: {error.Message}", error);
            taken = false;
        }

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        if (allocated > Room + ((long)RoomForByte * input.Length))
            throw new FuzzException($"{Name}: {allocated} bytes were allocated for an input of {input.Length}.");
        return taken;
    }
}
