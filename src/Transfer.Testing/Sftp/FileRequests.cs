using Transfer.Sftp.Protocol;
using Transfer.Testing.Faults;
using Transfer.Testing.Stores;

namespace Transfer.Testing.Sftp;

/// <summary>Requests for open files (draft-ietf-secsh-filexfer-02 sections 6.3, 6.4 and 6.8).</summary>
internal static class FileRequests
{
    // Removed from the permissions of a new file, as on most systems.
    private const uint Umask = 0x12;

    public static async ValueTask OpenAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (context.Handles.IsFull)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Too many open files");
            return;
        }

        var path = context.Resolve(request.Path);
        var target = await context.Store.ResolveAsync(path, ct).ConfigureAwait(false);
        var flags = request.Flags;
        var writes = (flags & (SftpOpenFlags.Write | SftpOpenFlags.Append)) != 0;
        var found = await context.Store.GetAsync(target, ct).ConfigureAwait(false);
        if (found is { IsDirectory: true }) throw new IOException("It is a directory.");
        if (found is null && !(writes && flags.HasFlag(SftpOpenFlags.Create))) throw SftpContext.Missing();

        Stream? write = null;
        if (writes)
        {
            var isNew = (flags & (SftpOpenFlags.Create | SftpOpenFlags.Exclusive)) == (SftpOpenFlags.Create | SftpOpenFlags.Exclusive);

            // A link at the end of the path exists too.
            var truncates = flags.HasFlag(SftpOpenFlags.Truncate);
            write = await context.Store.OpenWriteAsync(isNew ? path : target, 0, truncates, isNew, ct).ConfigureAwait(false);
            if (found is null && request.Attributes.Permissions is { } mode)
                await context.Store.SetModeAsync(target, (UnixFileMode)(mode & 0xFFF & ~Umask), ct).ConfigureAwait(false);
        }

        var reads = !writes || flags.HasFlag(SftpOpenFlags.Read);
        var read = reads ? await context.Store.OpenReadAsync(target, 0, ct).ConfigureAwait(false) : null;
        context.Reply.Handle(request.Id, context.Handles.Add(new FileHandle(path, read, write, flags.HasFlag(SftpOpenFlags.Append))));
    }

    public static async ValueTask CloseAsync(SftpContext context, SftpRequest request, CancellationToken _)
    {
        if (context.Handles.Take(request.Handle) is not { } handle)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        await handle.DisposeAsync().ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask ReadAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (Find(context, request.Handle)?.Read is not { } stream)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        var most = (int)Math.Min(request.Length, (ulong)context.Options.MaxReadLength);
        var memory = context.Reply.BeginData(request.Id, most);
        var count = 0;
        if (request.Offset <= long.MaxValue)
        {
            stream.Position = (long)request.Offset;
            count = await stream.ReadAtLeastAsync(memory, most, throwOnEndOfStream: false, ct).ConfigureAwait(false);
        }

        if (count == 0 && most > 0)
        {
            context.Reply.Status(request.Id, SftpTestStatus.EndOfFile);
            return;
        }

        var faults = Find(context, request.Handle)!.Faults(writes: false);
        faults.Begin(context.Core.Rules);
        faults.Corrupt(memory.Span[..count], (long)request.Offset);
        var (before, struck) = faults.Count(count);
        switch (struck?.Action)
        {
            case CutDataFault cut:
                if (before > 0) context.Reply.EndData(before);
                throw new ContentCutException(cut.Reset, hasReply: before > 0);
            case StallDataFault:
                await struck.Handle.Released.WaitAsync(ct).ConfigureAwait(false);
                break;
        }

        context.Reply.EndData(count);
    }

    public static async ValueTask WriteAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (Find(context, request.Handle) is not { Write: { } stream } file || request.Offset > long.MaxValue)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        var faults = file.Faults(writes: true);
        faults.Begin(context.Core.Rules);
        var data = request.Data.ToArray();
        faults.Corrupt(data, (long)request.Offset);
        var (before, struck) = faults.Count(data.Length);
        if (struck?.Action is StallDataFault) await struck.Handle.Released.WaitAsync(ct).ConfigureAwait(false);
        stream.Position = file.Appends ? stream.Length : (long)request.Offset;
        var kept = struck?.Action is CutDataFault or LoseDataFault ? before : data.Length;
        await stream.WriteAsync(data.AsMemory(0, kept), ct).ConfigureAwait(false);
        if (struck?.Action is CutDataFault cut) throw new ContentCutException(cut.Reset, hasReply: false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    public static async ValueTask SyncAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (Find(context, request.Handle) is not { } file)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        if (file.Write is not null) await file.Write.FlushAsync(ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    /// <summary>copy-data (draft-ietf-secsh-filexfer-extensions-00 section 7): a length of 0 copies to the end.</summary>
    public static async ValueTask CopyAsync(SftpContext context, SftpRequest request, CancellationToken ct)
    {
        if (Find(context, request.Handle)?.Read is not { } from || Find(context, request.SecondHandle)?.Write is not { } to
            || Math.Max(request.Offset, request.SecondOffset) > long.MaxValue)
        {
            context.Reply.Status(request.Id, SftpTestStatus.Failure, "Invalid handle");
            return;
        }

        from.Position = (long)request.Offset;
        to.Position = (long)request.SecondOffset;
        var length = request.Length == 0 ? long.MaxValue : (long)Math.Min(request.Length, long.MaxValue);
        await new RangeStream(from, length).CopyToAsync(to, ct).ConfigureAwait(false);
        context.Reply.Status(request.Id, SftpTestStatus.Ok);
    }

    private static FileHandle? Find(SftpContext context, uint handle) => context.Handles.Find(handle) as FileHandle;
}
