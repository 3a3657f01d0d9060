using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// A file that arrives, until it gets its name: under none where the system has that and nothing is to be replaced, else under a temporary one.
/// </summary>
internal sealed class NewFile
{
    private readonly UnpackTarget _target;
    private readonly UnnamedFile? _unnamed;

    private NewFile(UnpackTarget target, string path, UnnamedFile? unnamed, SafeFileHandle handle)
    {
        _target = target;
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

    /// <summary>Makes one.</summary>
    /// <param name="target">The job's target.</param>
    /// <param name="folder">The folder that it will be in.</param>
    /// <param name="replaces">It will replace something: that only a rename can.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    public static NewFile Create(UnpackTarget target, TargetFolder folder, bool replaces)
    {
        if (!replaces && UnnamedFile.TryCreate(folder.Path, target.Options.Places) is { } unnamed) return new NewFile(target, unnamed.Path, unnamed, unnamed.Handle);
        var path = System.IO.Path.Join(folder.Path, target.TemporaryNames.Next());
        return new NewFile(target, path, null, DiskFiles.Open(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read | FileShare.Delete));
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
            LocalRename.Move(Path, path, replace);
            return;
        }
        if (!_unnamed.TryPublish(path))
        {
            // It came just now.
            if (!replace) throw LocalErrors.SomethingIsThere();
            var temporary = System.IO.Path.Join(System.IO.Path.GetDirectoryName(path), _target.TemporaryNames.Next());
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
