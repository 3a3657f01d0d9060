namespace Transfer.Dialing;

/// <summary>The limits of Linux for one of a socket's buffers; null: not readable.</summary>
/// <param name="Autotuned">The most bytes that autotuning reaches: the third number of tcp_wmem or tcp_rmem.</param>
/// <param name="Settable">The largest size a program may set: wmem_max or rmem_max. The kernel doubles a size and reports the
/// double.</param>
internal readonly record struct BufferLimits(long? Autotuned, long? Settable);
