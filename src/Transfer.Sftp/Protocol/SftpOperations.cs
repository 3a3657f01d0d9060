using System.Buffers;
using System.Text;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// The requests of version 3 (draft-ietf-secsh-filexfer-02 section 6) and of OpenSSH's extensions, one method each. Paths are those of the
/// server.
/// </summary>
internal sealed class SftpOperations
{
    private readonly SftpEngine _engine;
    private readonly Encoding _names;
    private readonly Func<bool> _refusesAttributes;
    private readonly HandleCount _open = new();

    /// <param name="engine">Carries the requests.</param>
    /// <param name="names">The encoding of paths.</param>
    /// <param name="refusesAttributes">Whether SETSTAT and FSETSTAT are not sent, as the server never answers them; null: they are.</param>
    public SftpOperations(SftpEngine engine, Encoding names, Func<bool>? refusesAttributes = null)
    {
        _engine = engine;
        _names = names;
        _refusesAttributes = refusesAttributes ?? (static () => false);
    }

    /// <summary>
    /// Whether the next handle will be the only one open, as all earlier ones were: a server that numbers its handles then gives the first
    /// number.
    /// </summary>
    public bool OpensFirst => _open.IsNextFirst;

    public PendingReply OpenAsync(string path, SftpOpenFlags flags, SftpAttributes attributes, CancellationToken ct)
    {
        _open.Opening();
        var request = OnPath(SftpPacketType.Open, path, SftpPacketType.Handle);
        request.Fields.WriteUInt32((uint)flags);
        attributes.Write(request.Fields);
        return _engine.SendAsync(request, ct);
    }

    public PendingReply CloseAsync(byte[] handle)
    {
        var reply = _engine.SendAsync(OnHandle(SftpPacketType.Close, handle), CancellationToken.None);
        _open.Closing();
        return reply;
    }

    /// <summary>Closes a handle that was only read: the reply does not matter.</summary>
    public void PostClose(byte[] handle)
    {
        _engine.Post(OnHandle(SftpPacketType.Close, handle));
        _open.Closing();
    }

    public PendingReply ReadAsync(byte[] handle, long offset, int count)
    {
        var request = OnHandle(SftpPacketType.Read, handle, SftpPacketType.Data);
        request.RequestedBytes = count;
        request.Fields.WriteUInt64((ulong)offset);
        request.Fields.WriteUInt32((uint)count);
        return _engine.SendAsync(request, CancellationToken.None);
    }

    /// <summary>Writes the start of a buffer, which then belongs to the engine.</summary>
    public PendingReply WriteAsync(byte[] handle, long offset, byte[] buffer, int count)
    {
        var request = OnHandle(SftpPacketType.Write, handle);
        request.Fields.WriteUInt64((ulong)offset);
        request.Fields.WriteUInt32((uint)count);
        request.Attach(buffer, count);
        return _engine.SendAsync(request, CancellationToken.None);
    }

    public PendingReply FStatAsync(byte[] handle) =>
        _engine.SendAsync(OnHandle(SftpPacketType.FStat, handle, SftpPacketType.Attributes), CancellationToken.None);

    public PendingReply FSetStatAsync(byte[] handle, SftpAttributes attributes)
    {
        var request = OnHandle(SftpPacketType.FSetStat, handle);
        attributes.Write(request.Fields);
        return _refusesAttributes() ? SftpEngine.Refuse(request) : _engine.SendAsync(request, CancellationToken.None);
    }

    public PendingReply FSyncAsync(byte[] handle)
    {
        var request = Extended(SftpExtension.FSync, SftpPacketType.Status);
        request.Fields.WriteString(handle);
        return _engine.SendAsync(request, CancellationToken.None);
    }

    public PendingReply StatAsync(string path, bool follow, CancellationToken ct) =>
        _engine.SendAsync(OnPath(follow ? SftpPacketType.Stat : SftpPacketType.LStat, path, SftpPacketType.Attributes), ct);

    public PendingReply SetStatAsync(string path, SftpAttributes attributes, CancellationToken ct)
    {
        var request = OnPath(SftpPacketType.SetStat, path);
        attributes.Write(request.Fields);
        return _refusesAttributes() ? SftpEngine.Refuse(request) : _engine.SendAsync(request, ct);
    }

    public PendingReply OpenDirectoryAsync(string path, CancellationToken ct)
    {
        _open.Opening();
        return _engine.SendAsync(OnPath(SftpPacketType.OpenDir, path, SftpPacketType.Handle), ct);
    }

    public PendingReply ReadDirectoryAsync(byte[] handle, CancellationToken ct) =>
        _engine.SendAsync(OnHandle(SftpPacketType.ReadDir, handle, SftpPacketType.Name), ct);

    public PendingReply RemoveAsync(string path, CancellationToken ct) => _engine.SendAsync(OnPath(SftpPacketType.Remove, path), ct);

    public PendingReply RemoveDirectoryAsync(string path, CancellationToken ct) =>
        _engine.SendAsync(OnPath(SftpPacketType.RmDir, path), ct);

    public PendingReply MakeDirectoryAsync(string path, CancellationToken ct, uint? permissions = null)
    {
        var request = OnPath(SftpPacketType.MkDir, path);
        new SftpAttributes { Permissions = permissions }.Write(request.Fields);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>Requests the server's absolute form of a path, as NAME with one entry.</summary>
    public PendingReply RealPathAsync(string path, CancellationToken ct) =>
        _engine.SendAsync(OnPath(SftpPacketType.RealPath, path, SftpPacketType.Name), ct);

    public PendingReply ReadLinkAsync(string path, CancellationToken ct) =>
        _engine.SendAsync(OnPath(SftpPacketType.ReadLink, path, SftpPacketType.Name), ct);

    /// <summary>
    /// Creates a symbolic link. OpenSSH has the fields in the reverse of the draft's order, by mistake, and nearly all servers followed.
    /// </summary>
    /// <param name="path">The path of the link.</param>
    /// <param name="target">The text of the link.</param>
    /// <param name="pathFirst">Whether the server has the draft's order.</param>
    /// <param name="ct">Cancels.</param>
    public PendingReply SymLinkAsync(string path, string target, bool pathFirst, CancellationToken ct)
    {
        var (first, second) = pathFirst ? (path, target) : (target, path);
        var request = OnPath(SftpPacketType.SymLink, first);
        WriteName(request.Fields, second);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>Gives a file a second name; an existing name is refused.</summary>
    public PendingReply HardLinkAsync(string path, string second, CancellationToken ct)
    {
        var request = Extended(SftpExtension.HardLink, SftpPacketType.Status);
        WriteName(request.Fields, path);
        WriteName(request.Fields, second);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>SETSTAT that does not follow a link.</summary>
    public PendingReply LSetStatAsync(string path, SftpAttributes attributes, CancellationToken ct)
    {
        var request = Extended(SftpExtension.LSetStat, SftpPacketType.Status);
        WriteName(request.Fields, path);
        attributes.Write(request.Fields);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>REALPATH that resolves <c>~user</c>, too.</summary>
    public PendingReply ExpandPathAsync(string path, CancellationToken ct)
    {
        var request = Extended(SftpExtension.ExpandPath, SftpPacketType.Name);
        WriteName(request.Fields, path);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>Copies bytes from one open file to another; a <paramref name="length"/> of 0 goes to the end.</summary>
    public PendingReply CopyDataAsync(byte[] from, long offset, long length, byte[] to, long toOffset)
    {
        var request = Extended(SftpExtension.CopyData, SftpPacketType.Status);
        request.Fields.WriteString(from);
        request.Fields.WriteUInt64((ulong)offset);
        request.Fields.WriteUInt64((ulong)length);
        request.Fields.WriteString(to);
        request.Fields.WriteUInt64((ulong)toOffset);
        return _engine.SendAsync(request, CancellationToken.None);
    }

    public PendingReply RenameAsync(string from, string to, bool posix, CancellationToken ct)
    {
        var request = posix
            ? Extended(SftpExtension.PosixRename, SftpPacketType.Status) : _engine.Rent(SftpPacketType.Rename, SftpPacketType.Status);
        WriteName(request.Fields, from);
        WriteName(request.Fields, to);
        return _engine.SendAsync(request, ct);
    }

    public PendingReply LimitsAsync(CancellationToken ct) =>
        _engine.SendAsync(Extended(SftpExtension.Limits, SftpPacketType.ExtendedReply), ct);

    public PendingReply StatVfsAsync(string path, CancellationToken ct)
    {
        var request = Extended(SftpExtension.StatVfs, SftpPacketType.ExtendedReply);
        WriteName(request.Fields, path);
        return _engine.SendAsync(request, ct);
    }

    /// <summary>Requests the names of users, none of groups.</summary>
    public PendingReply UserNamesAsync(IReadOnlyList<uint> users, CancellationToken ct)
    {
        var request = Extended(SftpExtension.UsersGroups, SftpPacketType.ExtendedReply);
        request.Fields.WriteUInt32((uint)users.Count * 4);
        foreach (var user in users) request.Fields.WriteUInt32(user);
        request.Fields.WriteUInt32(0);
        return _engine.SendAsync(request, ct);
    }

    private SftpRequest OnPath(SftpPacketType type, string path, SftpPacketType answer = SftpPacketType.Status)
    {
        var request = _engine.Rent(type, answer);
        WriteName(request.Fields, path);
        return request;
    }

    private SftpRequest OnHandle(SftpPacketType type, byte[] handle, SftpPacketType answer = SftpPacketType.Status)
    {
        var request = _engine.Rent(type, answer);
        request.Fields.WriteString(handle);
        return request;
    }

    private SftpRequest Extended(string name, SftpPacketType answer)
    {
        var request = _engine.Rent(SftpPacketType.Extended, answer);
        request.Fields.WriteString(name);
        return request;
    }

    private void WriteName(IBufferWriter<byte> writer, string name)
    {
        var length = _names.GetByteCount(name);
        writer.WriteUInt32((uint)length);
        writer.Advance(_names.GetBytes(name, writer.GetSpan(length)));
    }
}
