using Microsoft.Win32.SafeHandles;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// A file that arrives, until it gets its name: under none where the system has that and nothing is to be replaced, else under a temporary one.
/// </summary>
internal sealed class NewFile
{
    private readonly UnpackTarget _target;
    private readonly UnnamedFile? _unnamed;

    private readonly UnixFileMode _source;

    private NewFile(UnpackTarget target, string path, UnnamedFile? unnamed, SafeFileHandle handle, UnixFileMode source)
    {
        _target = target;
        _source = source;
        _unnamed = unnamed;
        Path = path;
        Handle = handle;
    }

    /// <summary>What its content is written to.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Its content was flushed before it got its name.</summary>
    public bool IsProved { get; private set; }

    /// <summary>It is under a temporary name.</summary>
    public bool HasName => _unnamed is null;

    /// <summary>By which it can be opened.</summary>
    public string Path { get; }

    private UnixFileMode? Exact => _target.Options.PreserveMode ? _source : null;

    /// <summary>Makes one.</summary>
    /// <param name="target">The job's target.</param>
    /// <param name="folder">The folder that it will be in.</param>
    /// <param name="replaces">It will replace something: that only a rename can.</param>
    /// <param name="source">The permissions that it has at its sender's.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    public static NewFile Create(UnpackTarget target, TargetFolder folder, bool replaces, UnixFileMode source)
    {
        if (!replaces && UnnamedFile.TryCreate(folder.Path, target.Options.Places) is { } unnamed) return new NewFile(target, unnamed.Path, unnamed, unnamed.Handle, source);
        var path = System.IO.Path.Join(folder.Path, target.TemporaryNames.Next());
        var handle = DiskFiles.Open(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read | FileShare.Delete, permissions: FinalMode.Unfinished);
        return new NewFile(target, path, null, handle, source);
    }

    /// <summary>All of it is written. What has no name stays open until it has one.</summary>
    /// <exception cref="IOException">Not all was written, as the system says only now.</exception>
    public void Complete()
    {
        if (_unnamed is null) Disk.Close(Handle, Path);
    }

    /// <summary>Gives it its name.</summary>
    /// <param name="path">The name.</param>
    /// <param name="replace">Also where something has it.</param>
    /// <exception cref="IOException">The system refuses, or something has it.</exception>
    public void Publish(string path, bool replace)
    {
        if (_unnamed is null)
        {
            LocalModes.Settle(Path, replace ? path : null, Exact, _source);
            LocalRename.Move(Path, path, replace);
            return;
        }
        LocalModes.Settle(Handle, path, path, replaces: false, Exact, _source);
        if (!_unnamed.TryPublish(path))
        {
            // It came just now.
            if (!replace) throw LocalErrors.SomethingIsThere();
            var temporary = System.IO.Path.Join(System.IO.Path.GetDirectoryName(path), _target.TemporaryNames.Next());
            LocalModes.Settle(Handle, temporary, path, replaces: true, Exact, _source);
            if (!_unnamed.TryPublish(temporary)) throw LocalErrors.SomethingIsThere();
            try
            {
                _target.Flush.Secure(Handle, temporary);
                IsProved = true;
                LocalRename.Move(temporary, path, replace: true);
            }
            catch
            {
                LocalFiles.Discard(temporary, _target.Options.Logger);
                throw;
            }
        }
        _unnamed.Close(path);
    }

    /// <summary>It is not wanted; also after it got its name, which it keeps.</summary>
    public void Discard()
    {
        if (_unnamed is not null)
        {
            _unnamed.Dispose();
            return;
        }
        Handle.Dispose();
        LocalFiles.Discard(Path, _target.Options.Logger);
    }
}
