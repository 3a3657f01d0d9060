using System.Text;

namespace Transfer.Local;

/// <summary>
/// Which names a local file system can hold, and which it takes for the same. A set of rules, so that every system's can be
/// tested on any.
/// </summary>
internal sealed class LocalNames : IEqualityComparer<string>
{
    private const int MaxLength = 255;

    private static readonly string[] Devices =
    [
        "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
        "COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "COM¹", "COM²", "COM³",
        "LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "LPT¹", "LPT²", "LPT³",
    ];

    private readonly bool _windows;
    private readonly bool _normalizes;

    /// <param name="windows">Win32's rules: drive letters, streams, devices, no trailing dots.</param>
    /// <param name="ignoresCase">Names that differ in case only are the same.</param>
    /// <param name="normalizes">Names that differ in Unicode normalization only are the same.</param>
    public LocalNames(bool windows, bool ignoresCase, bool normalizes)
    {
        _windows = windows;
        IgnoresCase = ignoresCase;
        _normalizes = normalizes;
    }

    /// <summary>This system's rules, with what was found out about a folder's own treatment of case.</summary>
    public static LocalNames ForThisSystem(bool ignoresCase) =>
        new(OperatingSystem.IsWindows(), ignoresCase, OperatingSystem.IsMacOS() || OperatingSystem.IsIOS());

    public bool IgnoresCase { get; }

    /// <summary>Why a name cannot be used; null: it can. Slash, NUL, <c>.</c> and <c>..</c> are refused everywhere.</summary>
    public string? Refuse(string name)
    {
        if (Engine.ListedNames.Refuse(name) is { } reason) return reason;
        if (!_windows) return Encoding.UTF8.GetByteCount(name) > MaxLength ? $"a name has at most {MaxLength} bytes here" : null;
        if (name.Length > MaxLength) return $"a name has at most {MaxLength} characters here";
        if (name.Any(c => c < ' ' || "<>:\"/\\|?*".Contains(c)))
            return "Windows allows no control characters and none of < > : \" / \\ | ? * in names";
        if (name[^1] is '.' or ' ') return "Windows drops a dot or a blank at the end of a name";

        // NUL.txt and "NUL .txt" are the device too.
        var stem = name.Split('.')[0].TrimEnd(' ');
        return Devices.Contains(stem, StringComparer.OrdinalIgnoreCase) ? $"{stem} is a device on Windows" : null;
    }

    public bool Equals(string? x, string? y) =>
        string.Equals(Normal(x), Normal(y), IgnoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    public int GetHashCode(string obj) =>
        string.GetHashCode(Normal(obj), IgnoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    private string? Normal(string? name)
    {
        if (name is null || !_normalizes || Ascii.IsValid(name)) return name;
        try
        {
            return name.Normalize(NormalizationForm.FormD);
        }
        catch (ArgumentException)
        {
            // Not Unicode at all, so no other form of it exists either.
            return name;
        }
    }
}
