using System.Buffers;
using System.Text;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Reads the entries of a NAME packet (draft-ietf-secsh-filexfer-02 section 7): name, a line as printed by <c>ls -l</c>, attributes.
/// </summary>
internal ref struct SftpNames
{
    // Of a line as by ls -l: the type's letter and nine permissions.
    private const int ModeLength = 10;

    private static readonly SearchValues<byte> Permissions = SearchValues.Create("rwxsStTlL-"u8);
    private static readonly SearchValues<byte> Ends = SearchValues.Create(" +.@"u8);

    private SshReader _reader;
    private readonly Encoding _encoding;

    public SftpNames(ReadOnlySpan<byte> fields, Encoding encoding)
    {
        _reader = new SshReader(fields);
        _encoding = encoding;
        Left = _reader.ReadUInt32();
    }

    /// <summary>The number of entries not read yet, as the server announced them.</summary>
    public uint Left { get; private set; }

    public string Name { get; private set; } = string.Empty;

    public SftpAttributes Attributes { get; private set; }

    /// <summary>
    /// The type: by the permission bits, else by the line's first letter where the line is one of <c>ls -l</c>; null: unknown. The draft
    /// only recommends that form, and some servers send the name alone, whose first letter says nothing.
    /// </summary>
    public RemoteEntryType? Type { get; private set; }

    /// <summary>Reads the next entry; false: there is none.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: fewer were sent than announced.</exception>
    public bool MoveNext()
    {
        if (Left == 0) return false;
        Left--;
        var name = _reader.ReadString();
        Name = _encoding.GetString(name);
        var line = _reader.ReadString();
        Attributes = SftpAttributes.Read(ref _reader);
        Type = Attributes.Type ?? (BeginsWithMode(line) && !line.SequenceEqual(name) ? TypeOf(line[0]) : null);
        return true;
    }

    private static bool BeginsWithMode(ReadOnlySpan<byte> line) => line.Length >= ModeLength
        && (line.Length == ModeLength || Ends.Contains(line[ModeLength]))
        && !line[1..ModeLength].ContainsAnyExcept(Permissions);

    private static RemoteEntryType? TypeOf(byte letter) => letter switch
    {
        (byte)'-' => RemoteEntryType.File,
        (byte)'d' => RemoteEntryType.Directory,
        (byte)'l' => RemoteEntryType.Link,
        (byte)'b' or (byte)'c' or (byte)'p' or (byte)'s' => RemoteEntryType.Other,
        _ => null,
    };
}
