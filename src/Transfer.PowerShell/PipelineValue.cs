using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Management.Automation;

namespace Transfer.PowerShell;

/// <summary>Values as pipelines and parameters give them.</summary>
internal static class PipelineValue
{
    /// <summary>The object that PowerShell may have wrapped.</summary>
    [return: NotNullIfNotNull(nameof(value))]
    public static object? Unwrap(object? value) => value is PSObject { BaseObject: var inner } ? inner : value;

    /// <summary>The bytes of values that are bytes, numbers below 256, or arrays of bytes.</summary>
    public static byte[] Bytes(IEnumerable values)
    {
        using var all = new MemoryStream();
        foreach (var value in values)
        {
            if (Unwrap(value) is byte[] part) all.Write(part);
            else all.WriteByte(LanguagePrimitives.ConvertTo<byte>(value));
        }
        return all.ToArray();
    }
}
