using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Transfer.Packing;

/// <summary>
/// The names that code outside an assembly can use: public and protected members of public types, read from the metadata (ECMA-335, II.22).
/// Members are told apart by type and name:
/// a private overload of a public method counts as public.
/// </summary>
internal sealed class PublicSurface
{
    private readonly HashSet<string> _types = [];
    private readonly HashSet<string> _members = [];

    private PublicSurface(MetadataReader metadata)
    {
        foreach (var handle in metadata.TypeDefinitions)
        {
            var type = metadata.GetTypeDefinition(handle);
            if (!IsVisible(metadata, type)) continue;
            var name = FullName(metadata, type);
            _types.Add(name);
            AddMembers(metadata, type, name);
        }
    }

    /// <summary>Reads an assembly's.</summary>
    public static PublicSurface Read(string assembly)
    {
        using var file = new PEReader(File.OpenRead(assembly));
        return new PublicSurface(file.GetMetadataReader());
    }

    /// <summary>
    /// Whether an element of XML documentation is about something that can be used, by its ID:
    /// <c>M:Transfer.TransferClient.PingAsync(System.Threading.CancellationToken)</c>.
    /// </summary>
    public bool Has(string id)
    {
        if (id is not [var kind, ':', ..]) return false;
        var name = id[2..].Split('(', '~')[0];
        if (kind == 'T') return _types.Contains(name);
        // The arity of a generic method stands behind its name.
        var arity = name.IndexOf("``", StringComparison.Ordinal);
        return _members.Contains(arity < 0 ? name : name[..arity]);
    }

    private void AddMembers(MetadataReader metadata, TypeDefinition type, string name)
    {
        foreach (var field in type.GetFields().Select(metadata.GetFieldDefinition))
        {
            if ((field.Attributes & FieldAttributes.FieldAccessMask) is FieldAttributes.Public or FieldAttributes.Family
                or FieldAttributes.FamORAssem)
            {
                Add(name, field.Name);
            }
        }

        foreach (var method in type.GetMethods().Select(metadata.GetMethodDefinition))
        {
            if (PublicSurface.IsVisible(method)) Add(name, method.Name);
        }

        foreach (var property in type.GetProperties().Select(metadata.GetPropertyDefinition))
        {
            var accessors = property.GetAccessors();
            if (IsVisible(accessors.Getter) || IsVisible(accessors.Setter)) Add(name, property.Name);
        }

        foreach (var @event in type.GetEvents().Select(metadata.GetEventDefinition))
        {
            if (IsVisible(@event.GetAccessors().Adder)) Add(name, @event.Name);
        }

        bool IsVisible(MethodDefinitionHandle accessor) =>
            !accessor.IsNil && PublicSurface.IsVisible(metadata.GetMethodDefinition(accessor));

        // A constructor's name .ctor is #ctor in an ID.
        void Add(string owner, StringHandle member) => _members.Add($"{owner}.{metadata.GetString(member).Replace('.', '#')}");
    }

    private static bool IsVisible(MethodDefinition method) =>
        (method.Attributes & MethodAttributes.MemberAccessMask) is MethodAttributes.Public or MethodAttributes.Family
        or MethodAttributes.FamORAssem;

    private static bool IsVisible(MetadataReader metadata, TypeDefinition type) => (type.Attributes & TypeAttributes.VisibilityMask) switch
    {
        TypeAttributes.Public => true,
        TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem =>
            IsVisible(metadata, metadata.GetTypeDefinition(type.GetDeclaringType())),
        _ => false,
    };

    private static string FullName(MetadataReader metadata, TypeDefinition type)
    {
        var name = metadata.GetString(type.Name);
        if (type.GetDeclaringType() is { IsNil: false } outer) return $"{FullName(metadata, metadata.GetTypeDefinition(outer))}.{name}";
        var space = metadata.GetString(type.Namespace);
        return space.Length == 0 ? name : $"{space}.{name}";
    }
}
