using Renci.SshNet;
using Renci.SshNet.Common;

namespace SshNetMigration;

/// <summary>Ten tasks, one by one, by SSH.NET. docs/migrate-from-sshnet.md shows each beside the same one in Ours.cs.</summary>
public static class Theirs
{
    public static void Run(string host, int port, string user, string keyFile, string fingerprint, string folder)
    {
        WithKey(host, port, user, keyFile);
        using var client = Pinned(host, port, user, keyFile, fingerprint);
        client.Connect();
        client.ChangeDirectory(folder);
        Files(client);
        Folder(client, "photos", "photos");
        Mirror(client);
        Resume(client);
        Progress(client);
        SmallFiles(() => Pinned(host, port, user, keyFile, fingerprint), folder);
        using var other = Pinned(host, port, user, keyFile, fingerprint);
        other.Connect();
        other.ChangeDirectory(folder);
        BetweenServers(client, other);
        Errors(client);
    }

    private static void Files(SftpClient client)
    {
        using (var report = File.OpenRead("report.pdf")) client.UploadFile(report, "report.pdf", canOverride: true);
        using (var copy = File.Create("copy.pdf")) client.DownloadFile("report.pdf", copy);
    }

    private static void Folder(SftpClient client, string folder, string remote)
    {
        if (!client.Exists(remote)) client.CreateDirectory(remote);
        foreach (var file in Directory.GetFiles(folder))
        {
            using var content = File.OpenRead(file);
            client.UploadFile(content, $"{remote}/{Path.GetFileName(file)}", canOverride: true);
        }

        foreach (var below in Directory.GetDirectories(folder)) Folder(client, below, $"{remote}/{Path.GetFileName(below)}");
    }

    private static void Mirror(SftpClient client)
    {
        if (!client.Exists("site")) client.CreateDirectory("site");
        var sent = client.SynchronizeDirectories("site", "site", "*").Count(); // of one level, and by length only
        var gone = client.ListDirectory("site")
            .Where(entry => entry.IsRegularFile && !File.Exists(Path.Combine("site", entry.Name))).ToList();
        foreach (var entry in gone) client.DeleteFile(entry.FullName);
        Console.WriteLine($"{sent} sent, {gone.Count} deleted");
    }

    private static void Resume(SftpClient client)
    {
        using var source = File.OpenRead("disk.img");
        var there = client.Exists("disk.img") ? client.GetAttributes("disk.img").Size : 0; // of which file, is not known
        using var target = client.Open($"{client.WorkingDirectory}/disk.img", FileMode.OpenOrCreate, FileAccess.Write);
        source.Position = target.Position = there;
        source.CopyTo(target);
    }

    private static void WithKey(string host, int port, string user, string keyFile)
    {
        using var client = new SftpClient(host, port, user, new PrivateKeyFile(keyFile));
        client.Connect(); // to any server: without a handler every host key is taken
    }

    private static SftpClient Pinned(string host, int port, string user, string keyFile, string fingerprint)
    {
        var client = new SftpClient(host, port, user, new PrivateKeyFile(keyFile));
        client.HostKeyReceived += (_, e) => e.CanTrust = e.FingerPrintSHA256 == fingerprint;
        return client;
    }

    private static void Errors(SftpClient client)
    {
        try
        {
            using var absent = new MemoryStream();
            client.DownloadFile("absent.pdf", absent);
        }
        catch (SftpPathNotFoundException e)
        {
            Console.WriteLine($"absent.pdf is not there: {e.Message}");
        }
    }

    private static void Progress(SftpClient client)
    {
        using var video = File.OpenRead("disk.img");
        var length = video.Length;
        client.UploadFile(video, "video.bin", canOverride: true, sent => Console.WriteLine($"{sent} of {length} bytes"));
    }

    private static void SmallFiles(Func<SftpClient> connect, string folder)
    {
        using (var client = connect())
        {
            client.Connect();
            if (!client.Exists($"{folder}/small")) client.CreateDirectory($"{folder}/small");
        }

        Parallel.ForEach(
            Directory.GetFiles("small").Chunk(50), new ParallelOptions { MaxDegreeOfParallelism = 4 }, files =>
            {
                using var client = connect();
                client.Connect();
                foreach (var file in files)
                {
                    using var content = File.OpenRead(file);
                    client.UploadFile(content, $"{folder}/small/{Path.GetFileName(file)}");
                }
            });
    }

    private static void BetweenServers(SftpClient from, SftpClient to)
    {
        using var content = from.OpenRead($"{from.WorkingDirectory}/report.pdf"); // Open and OpenRead start at the log-in folder
        to.UploadFile(content, "report.copy.pdf", canOverride: true);
    }
}
