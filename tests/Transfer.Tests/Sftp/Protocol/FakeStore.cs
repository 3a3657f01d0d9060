using System.Buffers;
using System.Text;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Files and directories in memory, with the rules of a POSIX server. It outlives the sessions on it.</summary>
internal sealed class FakeStore
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Queue<byte[]>> _readings = new(StringComparer.Ordinal);
    private int _handles;

    public Dictionary<string, byte[]> Files { get; } = new(StringComparer.Ordinal);

    public Dictionary<string, SftpAttributes> Set { get; } = new(StringComparer.Ordinal);

    /// <summary>The permissions of files that were created or given some; those of all others are 0644.</summary>
    public Dictionary<string, uint> Modes { get; } = new(StringComparer.Ordinal);

    /// <summary>The groups of files; that of all others is 1000.</summary>
    public Dictionary<string, uint> Groups { get; } = new(StringComparer.Ordinal);

    /// <summary>What OPEN takes from permissions.</summary>
    public uint Umask { get; init; } = 0x12;

    /// <summary>The extensions that need files.</summary>
    public static IReadOnlyList<string?> Serves { get; } = [SftpExtension.HardLink, SftpExtension.LSetStat, SftpExtension.ExpandPath,
        SftpExtension.CopyData];

    /// <summary>Symbolic links and their texts.</summary>
    public Dictionary<string, string> Links { get; } = new(StringComparer.Ordinal);

    /// <summary>
    /// A handle is a number in four bytes, the lowest that is free: OpenSSH gives the same as long as no two are open at once.
    /// </summary>
    public bool NumbersHandles { get; init; }

    /// <summary>RENAME is the system's.</summary>
    public bool RenameReplaces { get; init; }

    public HashSet<string> Directories { get; } = new(["/", "/home", "/home/user"], StringComparer.Ordinal);

    /// <summary>Handles to paths.</summary>
    public Dictionary<string, string> Open { get; } = new(StringComparer.Ordinal);

    /// <summary>What each READDIR of a directory gives: raw names with their attributes.</summary>
    public Dictionary<string, Queue<byte[]>> Listings { get; } = new(StringComparer.Ordinal);

    public static void WriteName(IBufferWriter<byte> fields, string name, uint permissions, long size, string line = "-")
    {
        fields.WriteUInt32(1);
        fields.WriteString(NameEncoding.LosslessUtf8.GetBytes(name));
        fields.WriteString(Encoding.ASCII.GetBytes(line));
        FakeReply.WriteAttributes(fields, size, permissions);
    }

    public byte[] Read(FakeRequest request, int most)
    {
        lock (_gate)
        {
            if (!Open.TryGetValue(request.Text, out var path) || !Files.TryGetValue(path, out var bytes))
                return FakeReply.Status(request.Id, SftpStatus.Failure);
            if (request.Offset >= bytes.Length) return FakeReply.Status(request.Id, SftpStatus.EndOfFile);
            var count = (int)Math.Min(Math.Min(most, request.Length), bytes.Length - request.Offset);
            return FakeReply.Data(request.Id, bytes.AsSpan((int)request.Offset, count));
        }
    }

    public byte[] Serve(FakeRequest request)
    {
        lock (_gate)
        {
            var (id, path) = (request.Id, request.Text);
            switch (request.Type)
            {
                case SftpPacketType.Open:
                    return OpenFile(request);
                case SftpPacketType.OpenDir:
                    return Directories.Contains(path) || Listings.ContainsKey(path) ? Handle(id, path) : FakeReply.Status(id,
                        SftpStatus.NoSuchFile);
                case SftpPacketType.ReadDir:
                    return ReadDirectory(id, path, Open[path]);
                case SftpPacketType.Close:
                    return FakeReply.Status(id, _readings.Remove(path) | Open.Remove(path) ? SftpStatus.Ok : SftpStatus.Failure);
                case SftpPacketType.Write:
                    return WriteFile(request);
                case SftpPacketType.FStat:
                    return Open.TryGetValue(path, out var open) ? Stat(id, open) : FakeReply.Status(id, SftpStatus.Failure);
                case SftpPacketType.LStat or SftpPacketType.Stat:
                    if (request.Type == SftpPacketType.LStat && Links.ContainsKey(path))
                        return FakeReply.Attributes(id, fields => FakeReply.WriteAttributes(fields, 4, 0xA1FF));
                    return Real(path) is { } real ? Stat(id, real) : FakeReply.Status(id, SftpStatus.Failure);
                case SftpPacketType.ReadLink:
                    return Links.TryGetValue(path, out var text)
                        ? FakeReply.Packet(SftpPacketType.Name, id, fields => WriteName(fields, text, 0, 0)) : FakeReply.Status(id,
                            SftpStatus.Failure);
                case SftpPacketType.SymLink:
                    if (Exists(request.Target!)) return FakeReply.Status(id, SftpStatus.Failure);
                    Links[request.Target!] = path;
                    return FakeReply.Status(id, SftpStatus.Ok);
                case SftpPacketType.FSetStat:
                    Set[Open[path]] = request.Attributes;
                    if (request.Attributes.Permissions is { } mode) Modes[Open[path]] = mode;
                    return FakeReply.Status(id, SftpStatus.Ok);
                case SftpPacketType.SetStat:
                    Set[path] = request.Attributes;
                    if (request.Attributes.Permissions is { } given) Modes[path] = given;
                    return FakeReply.Status(id, Files.ContainsKey(path) ? SftpStatus.Ok : SftpStatus.NoSuchFile);
                case SftpPacketType.Remove:
                    return FakeReply.Status(id, Files.Remove(path) || Links.Remove(path) ? SftpStatus.Ok : SftpStatus.NoSuchFile);
                case SftpPacketType.MkDir:
                    if (!Directories.Contains(RemotePath.GetParent(path) ?? "/")) return FakeReply.Status(id, SftpStatus.NoSuchFile);
                    return FakeReply.Status(id, !Files.ContainsKey(path) && Directories.Add(path) ? SftpStatus.Ok : SftpStatus.Failure);
                case SftpPacketType.RmDir:
                    if (Directories.Any(other => RemotePath.GetParent(other) == path && other != path))
                        return FakeReply.Status(id, SftpStatus.Failure);
                    return FakeReply.Status(id, Directories.Remove(path) ? SftpStatus.Ok : SftpStatus.NoSuchFile);
                case SftpPacketType.Rename:
                    return Rename(id, path, request.Target!, RenameReplaces);
                case SftpPacketType.Extended when Serves.Contains(request.Extension):
                    return Extend(request);
                case SftpPacketType.Extended:
                    return Rename(id, path, request.Target!, replace: true);
                default:
                    return FakeReply.Status(id, SftpStatus.Unsupported);
            }
        }
    }

    /// <summary>The path with no link in it; null: it goes round in circles.</summary>
    public string? Real(string path)
    {
        for (var links = 0; ; links++)
        {
            var at = Links.Keys.Where(link => path == link || path.StartsWith(link + "/", StringComparison.Ordinal))
                .MinBy(link => link.Length);
            if (at is null) return path;
            if (links == 40) return null;
            var target = Links[at];
            var below = path[at.Length..];
            var start = target.StartsWith('/') ? "" : RemotePath.GetParent(at)!;
            path = new Uri($"file://{start.TrimEnd('/')}/{target.TrimStart('/')}{below}").LocalPath;
        }
    }

    private bool Exists(string path) => Files.ContainsKey(path) || Directories.Contains(path) || Links.ContainsKey(path);

    private byte[] Extend(FakeRequest request)
    {
        var (id, path) = (request.Id, request.Text);
        switch (request.Extension)
        {
            case SftpExtension.HardLink:
                if (!Files.TryGetValue(path, out var content) || Exists(request.Target!)) return FakeReply.Status(id, SftpStatus.Failure);
                Files[request.Target!] = content;
                return FakeReply.Status(id, SftpStatus.Ok);
            case SftpExtension.LSetStat:
                Set[path] = request.Attributes;
                return FakeReply.Status(id, SftpStatus.Ok);
            case SftpExtension.ExpandPath:
                return path.StartsWith("~alice", StringComparison.Ordinal)
                    ? FakeReply.Packet(SftpPacketType.Name, id,
                        fields => WriteName(fields, "/home/alice", 0x41ED, 0)) : FakeReply.Status(id, SftpStatus.Failure);
            default:
                var from = Files[Open[path]];
                if (request.Offset + request.Length > from.Length) return FakeReply.Status(id, SftpStatus.EndOfFile);
                var piece = from.AsSpan((int)request.Offset, request.Length == 0 ? from.Length : request.Length);
                var to = Files[Open[request.Target!]];
                Array.Resize(ref to, (int)Math.Max(to.Length, request.TargetOffset + piece.Length));
                piece.CopyTo(to.AsSpan((int)request.TargetOffset));
                Files[Open[request.Target!]] = to;
                return FakeReply.Status(id, SftpStatus.Ok);
        }
    }

    private byte[] OpenFile(FakeRequest request)
    {
        var (id, path) = (request.Id, request.Text);
        if (Links.ContainsKey(path) && Real(path) is { } real && Files.ContainsKey(real)) path = real;
        var exists = Files.ContainsKey(path);
        if (!request.Flags.HasFlag(SftpOpenFlags.Write)) return exists ? Handle(id, path) : FakeReply.Status(id, SftpStatus.NoSuchFile);
        if (exists && request.Flags.HasFlag(SftpOpenFlags.Exclusive) || Directories.Contains(path))
            return FakeReply.Status(id, SftpStatus.Failure);
        var isMade = request.Flags.HasFlag(SftpOpenFlags.Create) && Directories.Contains(RemotePath.GetParent(path) ?? "/");
        if (!exists && !isMade) return FakeReply.Status(id, SftpStatus.NoSuchFile);
        if (!exists) Modes[path] = (request.Attributes.Permissions ?? 0x1B6) & ~Umask;
        if (!exists || request.Flags.HasFlag(SftpOpenFlags.Truncate)) Files[path] = [];
        Set[path] = request.Attributes;
        return Handle(id, path);
    }

    private byte[] Handle(uint id, string path)
    {
        var handle = NumbersHandles
            ? Enumerable.Range(0, 100).Select(number => "\0\0\0" + (char)number).First(name => !Open.ContainsKey(name)) : $"h{++_handles}";
        Open[handle] = path;
        return FakeReply.Handle(id, handle);
    }

    private byte[] WriteFile(FakeRequest request)
    {
        var path = Open[request.Text];
        var bytes = Files[path];
        var end = (int)request.Offset + request.Length;
        if (bytes.Length < end) Array.Resize(ref bytes, end);
        request.Data.CopyTo(bytes, (int)request.Offset);
        Files[path] = bytes;
        return FakeReply.Status(request.Id, SftpStatus.Ok);
    }

    private byte[] Stat(uint id, string path)
    {
        if (Files.TryGetValue(path, out var bytes))
        {
            var permissions = 0x8000 | Modes.GetValueOrDefault(path, 0x1A4u);
            return FakeReply.Attributes(id,
                fields => FakeReply.WriteAttributes(fields, bytes.Length, permissions,
                    Set.GetValueOrDefault(path).Modified ?? 1_700_000_000, Groups.GetValueOrDefault(path, 1000u)));
        }
        return Directories.Contains(path)
            ? FakeReply.Attributes(id, fields => FakeReply.WriteAttributes(fields, 4096, 0x41ED))
            : FakeReply.Status(id, SftpStatus.NoSuchFile);
    }

    private byte[] Rename(uint id, string from, string to, bool replace)
    {
        if (!Files.ContainsKey(from) && !Links.ContainsKey(from)) return FakeReply.Status(id, SftpStatus.NoSuchFile);
        if (!replace && Exists(to) || Directories.Contains(to)) return FakeReply.Status(id, SftpStatus.Failure);
        Files.Remove(to);
        Links.Remove(to);
        if (Files.Remove(from, out var bytes)) Files[to] = bytes;
        else if (Links.Remove(from, out var text)) Links[to] = text;
        if (Set.Remove(from, out var set)) Set[to] = set;
        Modes.Remove(to);
        Groups.Remove(to);
        if (Modes.Remove(from, out var moved)) Modes[to] = moved;
        if (Groups.Remove(from, out var group)) Groups[to] = group;
        return FakeReply.Status(id, SftpStatus.Ok);
    }

    private byte[] ReadDirectory(uint id, string handle, string path)
    {
        if (!Listings.TryGetValue(path, out var packets) && !_readings.TryGetValue(handle, out packets))
        {
            packets = new Queue<byte[]>(Files.Where(file => RemotePath.GetParent(file.Key) == path)
                .Select(file =>
                    FakeReply.Packet(SftpPacketType.Name, 0,
                        fields => WriteName(fields, RemotePath.GetName(file.Key), 0x81A4, file.Value.Length))));
            _readings[handle] = packets;
        }
        if (!packets.TryDequeue(out var packet)) return FakeReply.Status(id, SftpStatus.EndOfFile);
        // The id is behind length and type.
        packet = [.. packet];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(5), id);
        return packet;
    }
}
