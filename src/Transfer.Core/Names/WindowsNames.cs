using System.Buffers;

namespace Transfer.Names;

/// <summary>Names that Win32 refuses as a part of a path, or takes for a device.</summary>
internal static class WindowsNames
{
    /// <summary>The characters that names can't have.</summary>
    public const string Refused =
        "\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0009\u000a\u000b\u000c\u000d\u000e\u000f"
        + "\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"
        + "<>:\"/\\|?*";

    private static readonly SearchValues<char> RefusedSet = SearchValues.Create(Refused);

    private static readonly string[] Devices =
    [
        "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
        "COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "COM¹", "COM²", "COM³",
        "LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "LPT¹", "LPT²", "LPT³",
    ];

    /// <summary>Returns why a name of any length cannot be used; null: usable.</summary>
    public static string? Refuse(string name)
    {
        if (name.AsSpan().ContainsAny(RefusedSet)) return "Windows allows no control characters and none of < > : \" / \\ | ? * in names";
        if (LosesAtEnd(name[^1])) return "Windows drops a dot or a blank at the end of a name";
        return DeviceOf(name) is { } device ? $"{device} is a device on Windows" : null;
    }

    /// <summary>Whether a character is dropped at the end of a name.</summary>
    public static bool LosesAtEnd(char last) => last is '.' or ' ';

    /// <summary>The device that a name stands for; null: none. NUL.txt and "NUL .txt" are the device too.</summary>
    public static string? DeviceOf(string name)
    {
        var dot = name.IndexOf('.', StringComparison.Ordinal);
        var stem = name.AsSpan(0, dot < 0 ? name.Length : dot).TrimEnd(' ');
        // A quick exit: most names are longer.
        if (stem.Length is < 3 or > 7) return null;
        foreach (var device in Devices)
        {
            if (stem.Equals(device, StringComparison.OrdinalIgnoreCase)) return stem.ToString();
        }
        return null;
    }
}
