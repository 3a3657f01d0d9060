using System.Diagnostics;
using System.Text;
using Transfer.Local;

namespace Transfer.TestSupport.Files;

/// <summary>
/// Trees whose names may be no UTF-8. The shell makes and lists them, not what is tested. Names are given as Latin-1: a character a byte.
/// </summary>
internal static class ByteTree
{
    /// <summary>Names that are no UTF-8, in several ways, and their neighbours that are.</summary>
    public static IReadOnlyList<string> Samples { get; } =
    [
        "caf\xE9.txt", // Latin-1
        "caf\xC3\xA9.txt", // the same in UTF-8
        "\xFF.bin", "\xFE.bin", // never in UTF-8
        "cut-\xE2\x82", // a sequence without its end
        "long-\xC0\xAF", // an overlong slash
        "half-\xED\xB2\x80", // a lone surrogate
        "b\xFClow/gr\xFC\xDF.txt", // a folder too
        "b\xFClow/plain.txt",
        "plain.txt",
    ];

    /// <summary>Makes files; the content of each is its name.</summary>
    public static void Make(string folder, IEnumerable<string> names)
    {
        var script = new StringBuilder("set -e\n");
        foreach (var name in names)
        {
            var quoted = $"'{name.Replace("'", "'\\''", StringComparison.Ordinal)}'";
            script.Append(System.Globalization.CultureInfo.InvariantCulture,
                $"p={quoted}\nd=$(dirname -- \"$p\")\nmkdir -p -- \"$d\"\nprintf %s \"$p\" > \"$p\"\ntouch -d 2021-03-04T05:06:07Z -- "
                + $"\"$p\"\n");
        }
        Run(folder, "sh", "-s", Encoding.Latin1.GetBytes(script.ToString()));
    }

    /// <summary>All paths in a folder, as <c>find</c> prints them, in order.</summary>
    public static IReadOnlyList<string> Names(string folder) =>
        [.. Encoding.Latin1.GetString(Run(folder, "find", ". -print0", [])).Split('\0',
            StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal)];

    /// <summary>All files with their contents, as <see cref="Make"/> makes them: true where each has its name in it.</summary>
    public static bool HoldsItself(string folder, IEnumerable<string> names) => names.All(name =>
        Encoding.Latin1.GetString(Run(folder, "sh", "-s", Encoding.Latin1.GetBytes($"cat -- '{name}'\n"))) == name);

    /// <summary>The form in which a path of ours holds a name.</summary>
    public static string PathOf(string name) => NameEncoding.LosslessUtf8.GetString(Encoding.Latin1.GetBytes(name));

    /// <summary>Deletes a folder, which .NET does not where names are no UTF-8.</summary>
    public static void Delete(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (IOException) when (OperatingSystem.IsLinux())
        {
            foreach (var (name, status) in DiskDirectories.Entries(folder).ToList())
            {
                if (status.IsFolder) Delete(Path.Join(folder, name));
                else DiskFiles.Delete(Path.Join(folder, name));
            }
            DiskDirectories.Remove(folder);
        }
    }

    private static byte[] Run(string folder, string program, string arguments, byte[] input)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;
        process.StandardInput.BaseStream.Write(input);
        process.StandardInput.Close();
        using var output = new MemoryStream();
        process.StandardOutput.BaseStream.CopyTo(output);
        process.WaitForExit();
        return process.ExitCode == 0 ? output.ToArray() : throw new InvalidOperationException($"{program} ended with {process.ExitCode}.");
    }
}
