using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A job in a spool, after the head was read and proved.</summary>
internal sealed class SpoolJob : IDisposable
{
    // The limit on forged confirmations under one recipient's name that are read.
    private const int MostTries = 4;

    private readonly SpoolKey _key;

    private SpoolJob(SpoolStore store, SpoolKey key, SpoolHead head, byte[] hash, JobSecret secret, IReadOnlyList<KeyWrap> wraps)
    {
        Store = store;
        _key = key;
        Head = head;
        Hash = hash;
        Secret = secret;
        Wraps = wraps;
        Archives = new KeyRing(new KnownSecret(head.Job, secret));
    }

    public SpoolStore Store { get; }

    public SpoolHead Head { get; }

    public JobId Id => Head.Job;

    /// <summary>The SHA-256 of the head, which every archive has in the header.</summary>
    public byte[] Hash { get; }

    public JobSecret Secret { get; }

    public IReadOnlyList<KeyWrap> Wraps { get; }

    /// <summary>Opens the archives, the end and the confirmations, which all have the job's secret.</summary>
    public KeyRing Archives { get; }

    /// <summary>Reads the head of a job.</summary>
    /// <param name="store">The spool.</param>
    /// <param name="id">The job.</param>
    /// <param name="key">The reader's key.</param>
    /// <param name="ring">The reader's keys. Belongs to the caller, as the key does.</param>
    /// <param name="isKnown">Returns whether a sender's jobs are accepted; null stands for a holder of the shared key or
    /// passphrase.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>Null: there is no head (yet).</returns>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: the job is for other recipients;
    /// <see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>: no known sender has made the head.</exception>
    public static async ValueTask<SpoolJob?> ReadAsync(SpoolStore store, JobId id, SpoolKey key, KeyRing ring,
        Func<SpoolPublicKey?, bool> isKnown, CancellationToken ct)
    {
        if (await store.ReadAsync(id, SpoolNames.Head, ct).ConfigureAwait(false) is not { } file) return null;
        var (record, proof, header) = await SealedRecord.OpenAsync(file, ring, id, SealedRecord.HeadNumber,
            key.ProofLength).ConfigureAwait(false);
        var head = SpoolHead.Parse(record);
        if (!isKnown(head.Sender)) throw new TransferException(TransferError.Auth, "The job is of a sender unknown here.");
        var secret = ring.Open(header)!;
        // A recipient could seal the head anew for other recipients, under another secret.
        if (head.Job == id
            && key.HasProved(head.Sender, secret, SpoolStatement.OfHead(record), proof) && SpoolHead.Commit(secret,
                id).AsSpan().SequenceEqual(head.Commitment))
        {
            return new SpoolJob(store, key, head, SpoolStatement.Hash(record), secret, header.Wraps);
        }

        secret.Dispose();
        throw new TransferException(TransferError.Integrity, "The job's head is not as the sender made it.");
    }

    /// <summary>Reads the end of the job; null: there is none (yet).</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Integrity"/> or <see cref="TransferError.Protocol"/>: the end is not as
    /// the sender made it.</exception>
    public async ValueTask<SpoolEnd?> ReadEndAsync(CancellationToken ct)
    {
        if (await Store.ReadAsync(Id, SpoolNames.End, ct).ConfigureAwait(false) is not { } file) return null;
        var (record, proof) = await OpenAsync(file, SealedRecord.EndNumber).ConfigureAwait(false);
        var end = SpoolEnd.Parse(record);
        return end.Head.AsSpan().SequenceEqual(Hash) && _key.HasProved(Head.Sender, Secret, SpoolStatement.OfEnd(record), proof)
            ? end
            : throw new TransferException(TransferError.Integrity, "The job's end is not as the sender made it.");
    }

    /// <summary>Seals the end of the job. Only the sender can.</summary>
    public ValueTask<byte[]> SealEndAsync(SpoolEnd end)
    {
        var record = end.ToBytes();
        return SealedRecord.SealAsync(Id, SealedRecord.EndNumber, Secret, Wraps, record, _key.Prove(Secret, SpoolStatement.OfEnd(record)));
    }

    /// <summary>Seals the reader's own confirmation.</summary>
    public ValueTask<byte[]> SealConfirmationAsync(SpoolConfirmation confirmation)
    {
        var record = confirmation.ToBytes();
        return SealedRecord.SealAsync(Id, SealedRecord.ConfirmationNumber(confirmation.Recipient), Secret, Wraps, record,
            _key.Prove(Secret, SpoolStatement.OfConfirmation(record)));
    }

    /// <summary>Returns the recipients who have not confirmed all of the job.</summary>
    /// <param name="end">The job's end.</param>
    /// <param name="listing">The files of the job in the store.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<IReadOnlyList<string>> GetMissingAsync(SpoolEnd end, SpoolListing listing, CancellationToken ct)
    {
        var missing = new List<string>();
        for (var i = 0; i < Head.To.Count; i++)
        {
            var isConfirmed = false;
            foreach (var serial in listing.Of(i).Take(MostTries))
            {
                isConfirmed = await HasConfirmedAsync(i, serial, end, ct).ConfigureAwait(false);
                if (isConfirmed) break;
            }
            if (!isConfirmed) missing.Add(Head.To[i].Name);
        }
        return missing;
    }

    /// <summary>Whether the deletion of the job has begun: neither archives nor end exist, and all recipients have confirmed all of the
    /// job, which is possible only after an end.</summary>
    public async ValueTask<bool> IsBeingDeletedAsync(SpoolListing listing, CancellationToken ct)
    {
        if (listing.HasArchives || listing.HasEnd) return false;
        for (var i = 0; i < Head.To.Count; i++)
        {
            var isConfirmed = false;
            foreach (var serial in listing.Of(i).Take(MostTries))
            {
                isConfirmed = await ReadConfirmationAsync(i, serial, ct).ConfigureAwait(false) is { IsFinal: true };
                if (isConfirmed) break;
            }
            if (!isConfirmed) return false;
        }
        // The end may only not be listed yet.
        return await ReadEndAsync(ct).ConfigureAwait(false) is null;
    }

    /// <summary>Returns the final confirmations of a recipient; several if he fetches with two machines.</summary>
    public async ValueTask<IReadOnlyList<SpoolConfirmation>> ReadFinalAsync(int recipient, SpoolEnd end, SpoolListing listing,
        CancellationToken ct)
    {
        var said = new List<SpoolConfirmation>();
        foreach (var serial in listing.Of(recipient).Take(MostTries))
        {
            if (await ReadConfirmationAsync(recipient, serial, ct).ConfigureAwait(false) is { } confirmation
                && IsFinalOf(confirmation, end))
            {
                said.Add(confirmation);
            }
        }
        return said;
    }

    /// <summary>Whether an archive is the sender's own.</summary>
    public bool IsProved(long number, byte[] digest, byte[] proof) =>
        _key.HasProved(Head.Sender, Secret, SpoolStatement.OfArchive(Hash, number, digest), proof);

    /// <summary>The length of the proof behind an archive in bytes.</summary>
    public int ProofLength => _key.ProofLength;

    public void Dispose()
    {
        Archives.Dispose();
        Secret.Dispose();
    }

    /// <summary>Whether a file is a recipient's own final confirmation, or can't be read just now.</summary>
    public async ValueTask<bool> IsFinalAsync(int recipient, long serial, CancellationToken ct)
    {
        try
        {
            return await ReadConfirmationAsync(recipient, serial, ct).ConfigureAwait(false) is { IsFinal: true };
        }
        catch (TransferException)
        {
            return true;
        }
    }

    private async ValueTask<(byte[] Record, byte[] Proof)> OpenAsync(byte[] file, long number)
    {
        try
        {
            var (record, proof, _) = await SealedRecord.OpenAsync(file, Archives, Id, number, _key.ProofLength).ConfigureAwait(false);
            return (record, proof);
        }
        catch (TransferException e) when (e.Error == TransferError.Auth)
        {
            throw new TransferException(TransferError.Integrity, "A record of the spool is of another job.", e);
        }
    }

    private async ValueTask<bool> HasConfirmedAsync(int recipient, long serial, SpoolEnd end, CancellationToken ct) =>
        await ReadConfirmationAsync(recipient, serial, ct).ConfigureAwait(false) is { } confirmation && IsFinalOf(confirmation, end);

    private static bool IsFinalOf(SpoolConfirmation confirmation, SpoolEnd end) =>
        confirmation.IsFinal && confirmation.Digest.AsSpan().SequenceEqual(end.Digest);

    private async ValueTask<SpoolConfirmation?> ReadConfirmationAsync(int recipient, long serial, CancellationToken ct)
    {
        try
        {
            if (await Store.ReadAsync(Id, SpoolNames.Confirmation(recipient, serial), ct).ConfigureAwait(false) is not { } file)
                return null;
            var (record, proof) = await OpenAsync(file, SealedRecord.ConfirmationNumber(recipient)).ConfigureAwait(false);
            var confirmation = SpoolConfirmation.Parse(record);
            return confirmation.Recipient == recipient
                && confirmation.Head.AsSpan().SequenceEqual(Hash) && _key.HasProved(Head.To[recipient].Key, Secret,
                    SpoolStatement.OfConfirmation(record), proof)
                ? confirmation
                : null;
        }
        catch (TransferException e) when (!e.IsTransient && e is not TransferConnectionException)
        {
            // Forged by another writer.
            return null;
        }
    }
}
