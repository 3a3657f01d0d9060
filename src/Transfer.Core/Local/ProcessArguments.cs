using System.Text;

namespace Transfer.Local;

/// <summary>The command line from the system.</summary>
internal static class ProcessArguments
{
    private const string Source = "/proc/self/cmdline";

    /// <summary>Reads all arguments of the process, the program first; empty where the system doesn't show them.</summary>
    public static string[] Read()
    {
        try
        {
            return Split(File.ReadAllBytes(Source));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return [];
        }
    }

    /// <summary>Splits arguments that each end with NUL.</summary>
    public static string[] Split(ReadOnlySpan<byte> line)
    {
        var arguments = new List<string>();
        for (int end; (end = line.IndexOf((byte)0)) >= 0; line = line[(end + 1)..])
            arguments.Add(NameEncoding.LosslessUtf8.GetString(line[..end]));
        return [.. arguments];
    }

    /// <summary>The exact forms of arguments.</summary>
    /// <param name="arguments">The arguments from .NET.</param>
    /// <param name="all">All arguments of the process, which end with these.</param>
    public static string[] Exact(string[] arguments, string[] all)
    {
        if (all.Length < arguments.Length) return arguments;
        var last = all[^arguments.Length..];
        for (var i = 0; i < last.Length; i++)
        {
            // The system's last arguments are not the source of these.
            if (Encoding.UTF8.GetString(NameEncoding.LosslessUtf8.GetBytes(last[i])) != arguments[i]) return arguments;
        }
        return last;
    }
}
