using System.Security.Cryptography;

namespace Transfer.Sftp.Keys.Files;

/// <summary>Keys that the platform reads by itself: the object is disposed of when reading fails.</summary>
internal static class PlatformKeys
{
    public static RsaKey Rsa(Action<RSA> import)
    {
        var rsa = RSA.Create();
        try
        {
            import(rsa);
            return new RsaKey(rsa);
        }
        catch
        {
            rsa.Dispose();
            throw;
        }
    }

    public static EcdsaKey Ecdsa(Action<ECDsa> import)
    {
        var ecdsa = ECDsa.Create();
        try
        {
            import(ecdsa);
            return new EcdsaKey(ecdsa);
        }
        catch
        {
            ecdsa.Dispose();
            throw;
        }
    }
}
