using Transfer.Cli.Urls;
using Transfer.Cli.Credentials;

namespace Transfer.Cli.Profiles;

/// <summary>A named server of the configuration.</summary>
/// <param name="Name">The name, without the @ of arguments.</param>
/// <param name="UrlText">The URL of the server and of the folder there; may hold a password.</param>
/// <param name="Password">The password of the file; null: there is none.</param>
/// <param name="Entries">The options.</param>
internal sealed record ServerProfile(string Name, string UrlText, StoredSecret? Password, IReadOnlyList<ConfigEntry> Entries)
{
    /// <summary>The URL in its parts.</summary>
    public TransferUrl Url { get; } = UrlParser.Parse(UrlText);

    /// <summary>The URL of an argument that begins with this profile: <c>@NAME</c>, or <c>@NAME/PATH</c>.</summary>
    /// <param name="path">The part behind the name: empty, or with a slash before it.</param>
    public string UrlOf(string path) => path.Length == 0 ? UrlText
        : Url.RawPath == "/" && !UrlText.EndsWith('/') ? UrlText + path : UrlText.TrimEnd('/') + path;

    public override string ToString() => Name;
}
