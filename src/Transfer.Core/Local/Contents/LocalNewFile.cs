using Microsoft.Win32.SafeHandles;
using Transfer.Contents;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>
/// A local file that is being received, until it is published under its name: under no name where the system has such files and no file is
/// to be replaced, else under a temporary one. Until then only the owner has access. Not thread-safe.
/// </summary>
public sealed class LocalNewFile
{
    private readonly LocalNewFileOptions _options;
    private readonly UnnamedFile? _unnamed;
    private readonly UnixFileMode _source;

    private LocalNewFile(LocalNewFileOptions options, string path, UnnamedFile? unnamed, SafeFileHandle handle, UnixFileMode source)
    {
        _options = options;
        _source = source;
        _unnamed = unnamed;
        Path = path;
        Handle = handle;
    }

    /// <summary>The open file, to write the content.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Whether the content was brought to the disk before the file got its name.</summary>
    public bool IsProved { get; private set; }

    /// <summary>Whether the file is under a temporary name.</summary>
    public bool HasName => _unnamed is null;

    /// <summary>A path by which this process can open the file.</summary>
    public string Path { get; }

    private UnixFileMode? Exact => _options.PreserveMode ? _source : null;

    /// <summary>Creates a file.</summary>
    /// <param name="directory">The directory of the file's final name.</param>
    /// <param name="replaces">Whether the file will replace another: only a rename does that.</param>
    /// <param name="source">The permissions of the source.</param>
    /// <param name="options">How the file is made and published.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">No file may be created in the directory.</exception>
    public static LocalNewFile Create(string directory, bool replaces, UnixFileMode source, LocalNewFileOptions options)
    {
        ArgumentNullException.ThrowIfNull(directory);
        ArgumentNullException.ThrowIfNull(options);
        if (!replaces && UnnamedFile.TryCreate(directory, options.Places) is { } unnamed)
            return new LocalNewFile(options, unnamed.Path, unnamed, unnamed.Handle, source);
        var path = System.IO.Path.Join(directory, options.Names.Next());
        var handle = DiskFiles.Open(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read | FileShare.Delete,
            permissions: FinalMode.Unfinished);
        return new LocalNewFile(options, path, null, handle, source);
    }

    /// <summary>Takes over a file that was written under a temporary name before.</summary>
    /// <param name="handle">The open file, which belongs to the result.</param>
    /// <param name="path">The temporary path.</param>
    /// <param name="source">The permissions of the source.</param>
    /// <param name="options">How the file is published.</param>
    public static LocalNewFile Adopt(SafeFileHandle handle, string path, UnixFileMode source, LocalNewFileOptions options)
    {
        ArgumentNullException.ThrowIfNull(handle);
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(options);
        return new LocalNewFile(options, path, null, handle, source);
    }

    /// <summary>Whether a file may take the place of another, before the content is known; see <see cref="OverwriteMode"/>.</summary>
    /// <param name="overwrite">The handling of existing files.</param>
    /// <param name="path">The path of the existing file, for the message.</param>
    /// <param name="modified">The time of the last modification of the source.</param>
    /// <param name="there">The status of the existing file.</param>
    /// <returns>False: the existing file stays unchanged, and that is no error.</returns>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the existing file is in the way.</exception>
    public static bool MayReplace(OverwriteMode overwrite, string path, DateTimeOffset modified, in FileStatus there) =>
        OverwritePolicy.ShouldSend(overwrite, path, modified, LocalFiles.EntryOf(path, there), TimeSpan.FromTicks(1));

    /// <summary>Closes a completely written file under a temporary name. A file without a name stays open until published.</summary>
    /// <exception cref="IOException">Some bytes were not written, which the system reports only now.</exception>
    public void Complete()
    {
        if (_unnamed is null) Disk.Close(Handle, Path);
    }

    /// <summary>Gives the file the permissions and the name, in one step: an existing file of that name is whole until then.</summary>
    /// <param name="path">The name.</param>
    /// <param name="replace">Whether a file that has the name is replaced.</param>
    /// <exception cref="IOException">The system refuses, or a file has the name and is not replaced.</exception>
    /// <exception cref="TransferException">The name is on another file system.</exception>
    public void Publish(string path, bool replace)
    {
        if (_unnamed is null)
        {
            LocalModes.SetFinalMode(Path, replace ? path : null, Exact, _source);
            LocalRename.Move(Path, path, replace);
            return;
        }
        LocalModes.SetFinalMode(Handle, path, path, replaces: false, Exact, _source);
        if (!_unnamed.TryPublish(path))
        {
            // The other file came just now.
            if (!replace) throw LocalErrors.CreateExistsError();
            Replace(path, _unnamed);
        }
        _unnamed.Close(path);
    }

    /// <summary>Closes the file, and deletes the file unless it was published.</summary>
    public void Discard()
    {
        if (_unnamed is not null)
        {
            _unnamed.Dispose();
            return;
        }
        Handle.Dispose();
        DiskFiles.Discard(Path, _options.Logger);
    }

    private void Replace(string path, UnnamedFile unnamed)
    {
        var temporary = System.IO.Path.Join(System.IO.Path.GetDirectoryName(path), _options.Names.Next());
        LocalModes.SetFinalMode(Handle, temporary, path, replaces: true, Exact, _source);
        if (!unnamed.TryPublish(temporary)) throw LocalErrors.CreateExistsError();
        try
        {
            _options.Secure?.Invoke(Handle, temporary);
            IsProved = true;
            LocalRename.Move(temporary, path, replace: true);
        }
        catch
        {
            DiskFiles.Discard(temporary, _options.Logger);
            throw;
        }
    }
}
