namespace Transfer.Dialing;

/// <summary>What Linux would do with one of a socket's buffers; null: not readable.</summary>
/// <param name="Autotuned">Bytes that autotuning goes up to by itself: the third number of tcp_wmem or tcp_rmem.</param>
/// <param name="Settable">Largest size a program may set: wmem_max or rmem_max. The kernel makes it twice that and reports the double.</param>
internal readonly record struct BufferLimits(long? Autotuned, long? Settable);
