using System.Management.Automation;
using System.Text;

namespace Transfer.PowerShell.Entries;

/// <summary>Takes the encodings that PowerShell's own cmdlets take: by name or number, or as they are.</summary>
internal sealed class TextEncodingAttribute : ArgumentTransformationAttribute
{
    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData) => PipelineValue.Unwrap(inputData) switch
    {
        string name => name.ToLowerInvariant() switch
        {
            "utf8" or "utf8nobom" => new UTF8Encoding(false),
            "utf8bom" => new UTF8Encoding(true),
            "ascii" => Encoding.ASCII,
            "ansi" or "latin1" => Encoding.Latin1,
            "unicode" => Encoding.Unicode,
            "bigendianunicode" => Encoding.BigEndianUnicode,
            "utf32" => Encoding.UTF32,
            _ => Encoding.GetEncoding(name),
        },
        int codePage => Encoding.GetEncoding(codePage),
        _ => inputData,
    };
}
