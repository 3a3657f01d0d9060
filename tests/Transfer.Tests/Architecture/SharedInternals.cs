using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Transfer.Tests.Architecture;

/// <summary>Finds the internal types of one assembly that another one refers to, in their metadata.</summary>
internal static class SharedInternals
{
    /// <param name="user">Whose references are read.</param>
    /// <param name="owner">Whose types they lead to.</param>
    /// <returns>The full names of internal types, and of public ones of which an internal member is used.</returns>
    public static IReadOnlySet<string> Find(Assembly user, Assembly owner)
    {
        using var image = new PEReader(File.OpenRead(user.Location));
        var metadata = image.GetMetadataReader();
        var found = new HashSet<string>();
        foreach (var handle in metadata.TypeReferences)
        {
            if (TypeOf(metadata, handle, owner) is { IsVisible: false } type) found.Add(type.FullName!);
        }
        foreach (var handle in metadata.MemberReferences)
        {
            var member = metadata.GetMemberReference(handle);
            if (member.Parent.Kind != HandleKind.TypeReference || TypeOf(metadata, (TypeReferenceHandle)member.Parent, owner) is not { IsVisible: true } type) continue;
            var name = metadata.GetString(member.Name);
            var members = type.GetMember(name, BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly);
            if (members.Length > 0 && !members.Any(IsVisible)) found.Add($"{type.FullName}.{name}");
        }
        return found;
    }

    private static bool IsVisible(MemberInfo member) => member switch
    {
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        _ => true,
    };

    private static Type? TypeOf(MetadataReader metadata, TypeReferenceHandle handle, Assembly owner)
    {
        var reference = metadata.GetTypeReference(handle);
        var name = metadata.GetString(reference.Name);
        if (reference.ResolutionScope.Kind == HandleKind.TypeReference)
            return TypeOf(metadata, (TypeReferenceHandle)reference.ResolutionScope, owner)?.GetNestedType(name, BindingFlags.Public | BindingFlags.NonPublic);
        if (reference.ResolutionScope.Kind != HandleKind.AssemblyReference) return null;
        var assembly = metadata.GetAssemblyReference((AssemblyReferenceHandle)reference.ResolutionScope);
        return metadata.GetString(assembly.Name) == owner.GetName().Name ? owner.GetType($"{metadata.GetString(reference.Namespace)}.{name}") : null;
    }
}
