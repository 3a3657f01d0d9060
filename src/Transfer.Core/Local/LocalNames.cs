using System.Text;
using Transfer.Names;

namespace Transfer.Local;

/// <summary>
/// The names that a local file system can hold, and those that are the same there. A set of rules, so that every system's can be tested on
/// any.
/// </summary>
public sealed class LocalNames : IEqualityComparer<string>
{
    private const int MaxLength = 255;

    private readonly bool _windows;
    private readonly bool _normalizes;

    /// <param name="windows">Whether Win32's rules apply: drive letters, streams, devices, no trailing dots.</param>
    /// <param name="ignoresCase">Whether names that differ in case only are the same.</param>
    /// <param name="normalizes">Whether names that differ in Unicode normalization only are the same.</param>
    internal LocalNames(bool windows, bool ignoresCase, bool normalizes)
    {
        _windows = windows;
        IgnoresCase = ignoresCase;
        _normalizes = normalizes;
        RefusesBytes = windows;
    }

    /// <summary>This system's rules, with a folder's own treatment of case and of Unicode's forms.</summary>
    internal static LocalNames ForThisSystem(LocalCase folder) =>
        new(OperatingSystem.IsWindows(), folder.Ignored, folder.FormIgnored) { RefusesBytes = !OperatingSystem.IsLinux() };

    /// <summary>The rules of this system, where differently spelled names differ.</summary>
    public static LocalNames ThisSystem { get; } = ForThisSystem(default);

    /// <summary>The rules of this system and of a directory's file system, found by creating a file there.</summary>
    /// <param name="directory">The directory.</param>
    public static LocalNames Of(string directory) => ForThisSystem(LocalCase.Of(directory));

    /// <summary>Whether a directory of some system can hold a name: not empty, <c>.</c> or <c>..</c>, and without slash and NUL.</summary>
    public static bool CanExist(string name) => ListedNames.Refuse(name) is null;

    /// <summary>The rules by which all names are one that any system takes for one: names that differ in case, in Unicode's form, or in
    /// both only.</summary>
    public static LocalNames Lenient { get; } = new(windows: false, ignoresCase: true, normalizes: true);

    internal bool IgnoresCase { get; }

    private bool RefusesBytes { get; init; }

    /// <summary>The rules by which names that differ in Unicode's form only are one.</summary>
    internal static LocalNames FormsAlone { get; } = new(windows: false, ignoresCase: false, normalizes: true);

    /// <summary>The code for names that cannot be used, or are the same; null: any name that can exist is usable, but for the
    /// length.</summary>
    internal NameCode? Code =>
        _windows ? NameCode.Windows : RefusesBytes ? NameCode.Text : IgnoresCase || _normalizes ? NameCode.Twins : null;

    /// <summary>Why a name cannot be used; null: usable. Slash, NUL, <c>.</c> and <c>..</c> are refused everywhere.</summary>
    public string? Refuse(string name)
    {
        if (ListedNames.Refuse(name) is { } reason) return reason;
        if (RefusesBytes && !NameBytes.AreText(name)) return "a name that is no text (UTF-8) cannot be used here";
        if (!_windows)
            return NameEncoding.LosslessUtf8.GetByteCount(name) > MaxLength ? $"a name has at most {MaxLength} bytes here" : null;
        if (name.Length > MaxLength) return $"a name has at most {MaxLength} characters here";
        return WindowsNames.Refuse(name);
    }

    /// <summary>The path of a file that keeps a server's name in a local directory.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="name">The last component of a remote path.</param>
    /// <param name="parameter">The name of the parameter that holds the directory.</param>
    /// <exception cref="ArgumentException">No local file can have the name, which leads out of the directory, for example.</exception>
    internal static string Join(string directory, string name, string parameter) => ThisSystem.Refuse(name) is { } reason
        ? throw new ArgumentException($"{PrintableText.Of(name)} cannot keep its name in {PrintableText.Of(directory)}: {reason}.",
            parameter)
        : Path.Join(directory, name);

    /// <summary>Whether no two names are one.</summary>
    public bool TellsAllApart => !IgnoresCase && !_normalizes;

    /// <summary>Whether two names are one.</summary>
    public bool Equals(string? x, string? y) =>
        string.Equals(Normal(x), Normal(y), IgnoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    /// <inheritdoc/>
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
            // No Unicode, so there is no other form.
            return name;
        }
    }
}
