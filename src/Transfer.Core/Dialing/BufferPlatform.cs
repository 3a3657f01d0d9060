namespace Transfer.Dialing;

/// <summary>Systems that treat socket buffers differently.</summary>
internal enum BufferPlatform
{
    /// <summary>Limits are readable; a size that is set is doubled, capped, and ends autotuning.</summary>
    Linux,

    /// <summary>Send buffers start small; receive windows are tuned.</summary>
    Windows,

    /// <summary>macOS and the BSDs.</summary>
    Other,
}
