using Transfer.Sftp.Protocol;

namespace Transfer.Testing.Sftp;

/// <summary>Requests for attributes (draft-ietf-secsh-filexfer-02 sections 6.8 and 6.9).</summary>
internal static class AttributeRequests
{
    public static async ValueTask LStatAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var path = context.Resolve(request.Path);
        Answer(context, request, path, await context.Store.GetAsync(path, ct).ConfigureAwait(false) ?? throw SftpContext.Missing());
    }

    public static async ValueTask StatAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var path = context.Resolve(request.Path);
        Answer(context, request, path, await context.FollowAsync(path, ct).ConfigureAwait(false));
    }

    public static async ValueTask FStatAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (context.Handles.Find(request.Handle) is not { } handle)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        var entry = await context.FollowAsync(handle.Path, ct).ConfigureAwait(false);
        if (handle is FileHandle { Write: not null } or FileHandle { Read: not null })
        {
            // The open file's length, even when its name is another file's by now.
            var file = (FileHandle)handle;
            entry = entry with { Length = (file.Write ?? file.Read)!.Length };
        }

        Answer(context, request, handle.Path, entry);
    }

    public static async ValueTask SetStatAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        var path = await context.Store.ResolveAsync(context.Resolve(request.Path), ct).ConfigureAwait(false);
        if (request.Attributes.Size is { } size)
        {
            var entry = await context.FollowAsync(path, ct).ConfigureAwait(false);
            if (entry.IsDirectory) throw new IOException("It is a directory.");
            var stream = await context.Store.OpenWriteAsync(path, 0, truncate: false, createNew: false, ct).ConfigureAwait(false);
            await using var owned = stream.ConfigureAwait(false);
            stream.SetLength(Length(size));
        }

        await SetAsync(context, path, request.Attributes, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask FSetStatAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (context.Handles.Find(request.Handle) is not { } handle)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        if (request.Attributes.Size is { } size)
        {
            if (handle is not FileHandle { Write: { } stream }) throw new UnauthorizedAccessException("It is not open for writing.");
            stream.SetLength(Length(size));
        }

        var path = await context.Store.ResolveAsync(handle.Path, ct).ConfigureAwait(false);
        await SetAsync(context, path, request.Attributes, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    private static async ValueTask SetAsync(SftpContext context, string path, SftpAttributes attributes, CancellationToken ct)
    {
        if (SftpEntryText.ChangesOwner(attributes)) throw new UnauthorizedAccessException("All entries have one owner.");
        if (attributes.Mode is { } mode) await context.Store.SetModeAsync(path, mode, ct).ConfigureAwait(false);
        if (attributes.Modified is { } modified)
            await context.Store.SetModifiedAsync(path, DateTimeOffset.FromUnixTimeSeconds(modified), ct).ConfigureAwait(false);
        if (attributes is not { Mode: null, Modified: null, Size: null }) return;
        if (await context.Store.GetAsync(path, ct).ConfigureAwait(false) is null) throw SftpContext.Missing();
    }

    private static long Length(ulong size) => size <= long.MaxValue ? (long)size : throw new IOException("No file can have that size.");

    private static void Answer(SftpContext context, SftpRequest request, string path, TestEntry entry) =>
        SftpEntryText.Attributes(context.Core.Shown(entry, path)).Write(context.Reply.Begin(SftpPacketType.Attributes, request.Id));
}
