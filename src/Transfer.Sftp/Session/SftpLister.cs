using System.Runtime.CompilerServices;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Lists a directory: OPENDIR, then READDIRs, of which more and more are under way as it proves to be large. A server answers them one
/// after the other, so the entries come in order and memory is bounded by what is under way.
/// </summary>
internal sealed class SftpLister
{
    // OpenSSH gives a hundred names each, and the end costs one too.
    private const int FirstReads = 4;
    private const int MostReads = 32;

    private readonly SftpSessionContext _context;
    private readonly OwnerNames _owners;

    public SftpLister(SftpSessionContext context)
    {
        _context = context;
        _owners = new OwnerNames(context);
    }

    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, [EnumeratorCancellation] CancellationToken ct)
    {
        await _context.Users.LearnAsync(directory, ct).ConfigureAwait(false);
        var opened = await _context.Operations.OpenDirectoryAsync(_context.Expand(directory), ct).ConfigureAwait(false);
        if (opened.Handle is not { } handle) throw SftpErrors.ToException(opened, "OPENDIR", directory);
        var reads = new Queue<PendingReply>();
        var (most, dropped, ended) = (FirstReads, 0, false);
        try
        {
            while (!ended)
            {
                while (reads.Count < most) reads.Enqueue(_context.Operations.ReadDirectoryAsync(handle, ct));
                var reply = await reads.Dequeue().ConfigureAwait(false);
                if (reply.Status == SftpStatus.EndOfFile) break;
                if (!reply.IsOk) throw SftpErrors.ToException(reply, "READDIR", directory);
                most = Math.Min(MostReads, most * 2);
                var entries = _context.Read(reply, bytes => Parse(bytes, directory, ref dropped));
                // None is no end that the protocol knows, but to ask again could go on for ever.
                ended = entries is null;
                if (entries is null) continue;
                await _owners.AddAsync(entries, ct).ConfigureAwait(false);
                foreach (var entry in entries) yield return entry;
            }
        }
        finally
        {
            _context.Operations.PostClose(handle);
            // Their ends are of no interest, but each has to be taken.
            while (reads.TryDequeue(out var rest)) _ = ForgetAsync(rest);
        }
        if (dropped > 0) Log.ListingNamesDropped(_context.Logger, dropped, directory);
    }

    // Null: the packet held nothing at all.
    private List<RemoteEntry>? Parse(ReadOnlySpan<byte> bytes, string directory, ref int dropped)
    {
        var names = new SftpNames(bytes, _context.Names);
        if (names.Left == 0) return null;
        var entries = new List<RemoteEntry>();
        while (names.MoveNext())
        {
            if (names.Name is "." or "..") continue;
            // Such a name would lead to another folder, or end where a system's call ends it.
            if (names.Name.Length == 0 || names.Name.AsSpan().ContainsAny('/', '\0')) dropped++;
            else entries.Add(SftpEntries.ToEntry(RemotePath.Combine(directory, names.Name), names.Attributes, names.Type));
        }
        return entries;
    }

    private async Task ForgetAsync(PendingReply read)
    {
        try
        {
            _context.Engine.Buffers.Return((await read.ConfigureAwait(false)).Buffer);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            // The session is lost or the caller has gone: whoever listed knows.
        }
    }
}
