using System.Security.Cryptography;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>The names that a folder's file system takes for one: found by making a file, because the rule depends on the mount (or on
/// Windows the folder), not on the system.</summary>
/// <param name="Ignored">Whether names that differ in case only are one.</param>
/// <param name="FormIgnored">Whether names that differ in Unicode's composed and decomposed form only are one.</param>
internal readonly record struct LocalCase(bool Ignored, bool FormIgnored)
{
    private const string Composed = "\u00e9";
    private const string Decomposed = "e\u0301";

    /// <summary>The usual rule of this system.</summary>
    public static LocalCase Usual { get; } = new(OperatingSystem.IsWindows() || OperatingSystem.IsMacOS(),
        OperatingSystem.IsMacOS() || OperatingSystem.IsIOS());

    /// <summary>Finds the rule of a folder.</summary>
    public static LocalCase Of(string folder) =>
        // Where a folder cannot be written to, its files will fail later. Some file systems permit only few letters.
        TryProbe(folder, Composed) ?? TryProbe(folder, string.Empty) ?? Usual;

    private static LocalCase? TryProbe(string folder, string letter)
    {
        var name = $".transfer-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8))}-case{letter}.part";
        var probe = Path.Join(folder, name);
        try
        {
            DiskFiles.Open(probe, FileMode.CreateNew, FileAccess.Write, permissions: FinalMode.Unfinished).Dispose();
            try
            {
                var upper = name.Replace("case", "CASE", StringComparison.Ordinal);
                var other = name.Replace(Composed, Decomposed, StringComparison.Ordinal);
                return new(DiskFiles.Exists(Path.Join(folder, upper)),
                    letter.Length == 0 ? Usual.FormIgnored : DiskFiles.Exists(Path.Join(folder, other)));
            }
            finally
            {
                DiskFiles.Delete(probe);
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return null;
        }
    }
}
