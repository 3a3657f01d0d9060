using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.InteropServices.Marshalling;

namespace Transfer.Local.Native;

/// <summary>Passes a path to the C library: the bytes that <see cref="NameEncoding.LosslessUtf8"/> stands for, and NUL.</summary>
[CustomMarshaller(typeof(string), MarshalMode.ManagedToUnmanagedIn, typeof(In))]
internal static unsafe class PathMarshaller
{
    /// <summary>One path being passed; most fit in the caller's stack.</summary>
    internal ref struct In
    {
        private byte* _bytes;
        private bool _isAllocated;

        /// <summary>The length in bytes of the buffer of the generated code.</summary>
        public static int BufferSize => 512;

        /// <summary>Encodes a path.</summary>
        /// <exception cref="ArgumentException">A NUL in the path would end the path early: another path would be meant.</exception>
        public void FromManaged(string path, Span<byte> buffer)
        {
            ArgumentNullException.ThrowIfNull(path);
            if (path.Contains('\0', StringComparison.Ordinal)) throw new ArgumentException("A path may not contain NUL.", nameof(path));
            var encoding = NameEncoding.LosslessUtf8;
            if (encoding.GetMaxByteCount(path.Length) >= buffer.Length && encoding.GetByteCount(path) is var count
                && count >= buffer.Length)
            {
                _bytes = (byte*)NativeMemory.Alloc((nuint)count + 1);
                _isAllocated = true;
                buffer = new Span<byte>(_bytes, count + 1);
            }
            else
            {
                _bytes = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(buffer));
            }
            buffer[encoding.GetBytes(path, buffer[..^1])] = 0;
        }

        /// <summary>The encoded path.</summary>
        public readonly byte* ToUnmanaged() => _bytes;

        /// <summary>Frees the memory of a path that did not fit.</summary>
        public readonly void Free()
        {
            if (_isAllocated) NativeMemory.Free(_bytes);
        }
    }
}
