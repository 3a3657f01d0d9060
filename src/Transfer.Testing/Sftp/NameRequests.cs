using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Sftp;

/// <summary>
/// Requests for names: listings, directories, renames, links (draft-ietf-secsh-filexfer-02 sections 6.5 to 6.7, 6.10 and 6.11).
/// </summary>
internal static class NameRequests
{
    public static async ValueTask OpenDirectoryAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (context.Handles.IsFull)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Too many open files");
            return;
        }

        var path = context.Resolve(request.Path);
        var entry = await context.FollowAsync(path, ct).ConfigureAwait(false);
        if (!entry.IsDirectory) throw new IOException("It is no directory.");
        var real = await context.Store.ResolveAsync(path, ct).ConfigureAwait(false);
        var handle = new DirectoryHandle(path, entry, context.Store.ListAsync(real, ct).GetAsyncEnumerator(ct));
        context.Reply.Handle(request.Id, context.Handles.Add(handle));
    }

    public static async ValueTask ReadDirectoryAsync(SftpContext context, SftpRequest request, CancellationToken _)
    {
        if (context.Handles.Find(request.Handle) is not DirectoryHandle directory)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        var entries = await directory.NextAsync().ConfigureAwait(false);
        if (entries.Count == 0)
        {
            context.Reply.Status(request.Id, SftpTestStatus.EndOfFile);
            return;
        }

        var now = context.Options.TimeProvider.GetUtcNow();
        var fields = context.Reply.Begin(SftpPacketType.Name, request.Id);
        fields.WriteUInt32((uint)entries.Count);
        foreach (var entry in entries)
        {
            var shown = context.Core.Shown(entry, VirtualPath.Combine(directory.Path, entry.Name));
            SftpEntryText.WriteName(fields, shown, now);
        }
    }

    public static async ValueTask RemoveAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var path = context.Resolve(request.Path);
        if (await context.Store.GetAsync(path, ct).ConfigureAwait(false) is { IsDirectory: true, LinkTarget: null })
            throw new IOException("It is a directory.");
        await context.Store.DeleteFileAsync(path, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask MakeDirectoryAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var path = context.Resolve(request.Path);
        await context.Store.CreateDirectoryAsync(path, ct).ConfigureAwait(false);
        if (request.Attributes.Mode is { } mode) await context.Store.SetModeAsync(path, mode, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask RemoveDirectoryAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        await context.Store.DeleteDirectoryAsync(context.Resolve(request.Path), ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask RealPathAsync(SftpContext context, SftpRequest request, CancellationToken ct) =>
        AnswerPath(context, request, await context.Store.ResolveAsync(context.Resolve(request.Path), ct).ConfigureAwait(false));

    /// <summary>RENAME, which replaces nothing.</summary>
    public static ValueTask RenameAsync(SftpContext context, SftpRequest request, CancellationToken ct) =>
        RenameAsync(context, request, replace: false, ct);

    /// <summary>posix-rename@openssh.com, which replaces files.</summary>
    public static ValueTask PosixRenameAsync(SftpContext context, SftpRequest request, CancellationToken ct) =>
        RenameAsync(context, request, replace: true, ct);

    public static async ValueTask ReadLinkAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var entry = await context.Store.GetAsync(context.Resolve(request.Path), ct).ConfigureAwait(false) ?? throw SftpContext.Missing();
        AnswerPath(context, request, entry.LinkTarget ?? throw new IOException("It is no link."));
    }

    /// <summary>SYMLINK with the link's text first, as with OpenSSH and against the draft (OpenSSH PROTOCOL section 4.1).</summary>
    public static async ValueTask SymbolicLinkAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (request.Path!.Length == 0) throw SftpContext.Missing();
        await context.Store.CreateSymbolicLinkAsync(context.Resolve(request.SecondPath), request.Path, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask HardLinkAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var (path, newPath) = (context.Resolve(request.Path), context.Resolve(request.SecondPath));
        await context.Store.CreateHardLinkAsync(path, newPath, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    private static async ValueTask RenameAsync(SftpContext context, SftpRequest request, bool replace, CancellationToken ct)
    {
        var (from, to) = (context.Resolve(request.Path), context.Resolve(request.SecondPath));
        await context.Store.MoveAsync(from, to, replace, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    /// <summary>One name without attributes.</summary>
    private static void AnswerPath(SftpContext context, SftpRequest request, string path)
    {
        var fields = context.Reply.Begin(SftpPacketType.Name, request.Id);
        fields.WriteUInt32(1);
        fields.WriteString(path);
        fields.WriteString(path);
        default(SftpAttributes).Write(fields);
    }
}
