using System.Globalization;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Runs;

/// <summary>The files of the scenarios: random (no compression helps), the same in every run, made when first needed.</summary>
internal sealed class DataSets
{
    private const int Seed = 20_261_121;

    // Times of their own, and finer than a second.
    private static readonly DateTime First = new(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc);
    private static readonly TimeSpan Step = new(601_234_567);

    private readonly string _folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "data")).FullName;
    private readonly Dictionary<(int, int, int), string> _made = [];

    public static IReadOnlyList<string> Names(int files) =>
        [.. Enumerable.Range(0, files).Select(i => i.ToString("'f'00000'.bin'", CultureInfo.InvariantCulture))];

    /// <summary>A folder with the first files of a set.</summary>
    /// <param name="files">Files of the set.</param>
    /// <param name="size">Their size.</param>
    /// <param name="take">How many of them.</param>
    public string Folder(int files, FileSize size, int take)
    {
        if (_made.TryGetValue((files, size.Bytes, take), out var folder)) return folder;
        folder = Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{files}x{size.Bytes}-{take}"));
        Directory.CreateDirectory(folder);
        if (take == files)
        {
            Write(folder, files, size);
        }
        else
        {
            var whole = Folder(files, size, files);
            foreach (var name in Names(take)) File.Copy(Path.Combine(whole, name), Path.Combine(folder, name));
        }

        _made.Add((files, size.Bytes, take), folder);
        return folder;
    }

    /// <summary>Copies a set to where a server's user can read it.</summary>
    public static void Copy(string folder, string target)
    {
        Shell.Run("cp", "--recursive", "--preserve=timestamps", folder, target);
        if (Environment.IsPrivilegedProcess) ServerUser.Own(target);
    }

    private static void Write(string folder, int files, FileSize size)
    {
        var random = new Random(Seed + files + size.Bytes);
        var content = new byte[Math.Min(size.Bytes, 1 << 20)];
        var modified = First;
        foreach (var name in Names(files))
        {
            using (var file = File.Create(Path.Combine(folder, name), bufferSize: 1))
            {
                for (var left = size.Bytes; left > 0; left -= content.Length)
                {
                    random.NextBytes(content);
                    file.Write(content, 0, Math.Min(left, content.Length));
                }
            }
            File.SetLastWriteTimeUtc(Path.Combine(folder, name), modified += Step);
        }
    }
}
