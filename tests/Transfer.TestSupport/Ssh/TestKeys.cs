namespace Transfer.TestSupport.Ssh;

/// <summary>Keys that ssh-keygen and openssl made for these tests and that open nothing anywhere.</summary>
internal static class TestKeys
{
    public const string Passphrase = "test pass";
    public const string Ed25519Public = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL+nWr23FrU6e6H+G352N+vOi2TUlag7/DLj test-key";
    public const string Ed25519Fingerprint = "SHA256:JNdaNB440H+6SUvxt+1SLFyM4GTuEGY3fwT0vd/SJyk";
    public const string Ecdsa256Public =
        "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBM2HUW7ZQNBSPBSBHcRcL4fKUdI0eb9hnVtuK5z2SrXSdqSGQfTjx2/Tr8V6eWVtg6yCya6G+I9utvouASkfmdQ= test-key";
    public const string Ecdsa256Fingerprint = "SHA256:B1MSPQu/0h4AveIiDHn2GyO1xoPg390oJq3BkSsGBeI";
    public const string Ecdsa384Public =
        "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBGy86vF66/9VtALH7XTPbvbLZHYokwbR3aWGpwpVwWHOare/GqQqerFltfAhOOW40g+KPxCSigc29W5dO4EeJeedFbJcYjQnC8b8lQ5NXV5PydF9kDzhIVk+nNodUX8D3g== test-key";
    public const string Ecdsa384Fingerprint = "SHA256:KcMyPZd9xEbCECXjZtfFPzw86rhqh4HTOHTsnjAGPIo";
    public const string Ecdsa521Public =
        "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAHSvvHF+UzFtJYayATE4712Z4ur2t4BAQKPGqXm3zygF4OHVqVBn26UsYPAaAmED0KdUT7icl1jh/jcFhT98GxJbwHuDVPdqPgQU8SYzvyekOcC4yZcMLFampbelwhN+6/r+JZyd2tS+uAY8vssGJh39GhmUdLYuvqYaN2j/wkSkiZR5w== test-key";
    public const string Ecdsa521Fingerprint = "SHA256:LOaGDVAg6voUarHJhP8hFYB+7/gRmlR9KAOIRS37ma4";
    public const string Ed25519Pkcs8Public = "d5d7f212175d4a7d4530b27b374e5dbf941aa8d6327fb145db00848127070ca4";

    public const string Ed25519 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
        QyNTUxOQAAACBob9pcNqC/p1q9txa1Onuh/ht+djfrzotk1JWoO/wy4wAAAJChctdboXLX
        WwAAAAtzc2gtZWQyNTUxOQAAACBob9pcNqC/p1q9txa1Onuh/ht+djfrzotk1JWoO/wy4w
        AAAEA7aLClNPz1PvdXz14ZYN5+Nljwk+GSdq5gBc+r5KvHGGhv2lw2oL+nWr23FrU6e6H+
        G352N+vOi2TUlag7/DLjAAAACHRlc3Qta2V5AQIDBAU=
        -----END OPENSSH PRIVATE KEY-----
        """;

    // Two rounds of bcrypt, as in the next three: tests are to be fast.
    public const string Ed25519Counter256 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABBh9WmgLS
        m76uRCfSSSDCQWAAAAAgAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL+nWr23
        FrU6e6H+G352N+vOi2TUlag7/DLjAAAAkKC23HyUSSjw75z4KHK/rZkZUTKZHcdrZyMFfX
        Ye+jZWi2DtTY2mXZc3bJmuv+coI7SPlSYYDLccWmrJxLeUNO+fj9aSXBD72YetdkTEflCO
        wCLpJ6DyUxyB7DE6uKsfLXKA53hzTjh7IoZXEUo/6HeytSH3AwUf/QXlM3G7Rs17xsHggL
        5LAkbxZoulT/BXHg==
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ed25519Chaining256 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jYmMAAAAGYmNyeXB0AAAAGAAAABBnncrjRd
        EyHLsD9FKLG3EvAAAAAgAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL+nWr23
        FrU6e6H+G352N+vOi2TUlag7/DLjAAAAkLsV/u5cY41EvprCwIwuNNYTFMf58XLKmoOzzJ
        aGMB4nEeyAp5/hhG9OC87tlEC43z/XMsyrjTUcMjPQtqqPcmCyRSVRp5vK1m4b2OqFcTnb
        T/AFfaXo8m8/YEXub6NAzinpeqlpgW37q8K39qjOA0rue5MCfknKkNVVQSwLGTjVaagQZ2
        W9aXBl3algd7pzZw==
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ed25519Galois256 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAAFmFlczI1Ni1nY21Ab3BlbnNzaC5jb20AAAAGYmNyeXB0AA
        AAGAAAABB01dObVO5r8d+xiHz6cV1bAAAAAgAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAA
        IGhv2lw2oL+nWr23FrU6e6H+G352N+vOi2TUlag7/DLjAAAAkPmV8nWveeOkFDAdOiRi5o
        b+cc+BiuhsGm2ePmp6Tj3SgPP1Yh7pomMc66Yo6LXSwJ6z/3lPjYh1gFcjlrF9uiXJX4nH
        WwCrt8wFqiD/GCdoWLB7IpSP/KSTYalWhBZp2PpC9kAV68HBvAoDowovMTp8bzsUHpXU4x
        J8aFwypUiDLEG1dgMLqmxt9PmQzgg4sOjkLKl6aBOy/ICuVudlVe8=
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ed25519Counter128 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczEyOC1jdHIAAAAGYmNyeXB0AAAAGAAAABAgqMVlEt
        am0/puP99Inr5cAAAAAgAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL+nWr23
        FrU6e6H+G352N+vOi2TUlag7/DLjAAAAkETaADx1xqfOtgtn25e2F2dns8zOo95bKAoDtG
        LHQ93rcoUsUcLrgxypaWPHLGvtu/bxJULeXUtblOyycJFIuYLd7/RumXciu20HV8wDaQIO
        xh/XBLZ3ESj3VbPt/yFE00iXWlhXZapxvSW4sk4CrMRHWxnvBw9kSreOVzMJG5J27B/Xpu
        iocHX5VWJt7gvD0Q==
        -----END OPENSSH PRIVATE KEY-----
        """;

    // As ssh-keygen does it when it is told nothing.
    public const string Ed25519Default = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABAhiCdO5q
        MfOJ2AUVr4l7vXAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL+nWr23
        FrU6e6H+G352N+vOi2TUlag7/DLjAAAAkK/LvHYTjOz/LLHT3HThJ5AoojtGYPxEqGgrNj
        iVLGjwWt4K99xivSlmRxZYpLQ3OFM/jnhI1i9qZo3j6WayZwGSCAVSBLyiKVIIiNJ0J3pE
        FMUcsfMB/xFgFhTR0M4nRAy5n4kq1RHYGC4hh+wvuxIQGk9k4ik5ChtMnfjgR+a+ouLXes
        H/ksW+MWdSuAC5SA==
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ed25519ChaCha = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAAHWNoYWNoYTIwLXBvbHkxMzA1QG9wZW5zc2guY29tAAAABm
        JjcnlwdAAAABgAAAAQEigJFzlCJS4MKORhPMoEogAAAAIAAAABAAAAMwAAAAtzc2gtZWQy
        NTUxOQAAACBob9pcNqC/p1q9txa1Onuh/ht+djfrzotk1JWoO/wy4wAAAJCJiMdttVHrmH
        804yMCh+WYNzuSU1n82X7sa2EEmYeMTFaUVlTnKiShH+F8q8rEgWX8oV7sawakPjAzhk+t
        TguuwmsALwN2hezRahXeoFroLLtktQMo1wY7BRNa3xuk4dYbibypgUL173elBLNznG+0vx
        xvpRlv0ZxPS0AN3PAZjqSUk3gqa8vg02cv9rhzEy0hP1R/xQcq+oIONmKk0PRF
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ed25519Pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIEEaDbfhU9wtVGU+Rvg0l7E0lfkM3BJbxJ1vs7Xm0C0d
        -----END PRIVATE KEY-----
        """;

    public const string Ed25519Pkcs8Encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgXhkxv1UtmYgICA+gw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOjllcNABt3hxsKvt2L1rVgEQCYD
        k0ozE1nrSoMN8XA+MMby4Kw0uXHYBvMIq8lKqlKu/qNbYkHr6bnKBXoWuhRO+FQT
        X4njDCcx8j43s38SskI=
        -----END ENCRYPTED PRIVATE KEY-----
        """;

    public const string Ecdsa256 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS
        1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQTNh1Fu2UDQUjwUgR3EXC+HylHSNHm/
        YZ1bbiuc9kq10nakhkH048dv06/FenllbYOsgsmuhviPbrb6LgEpH5nUAAAAqBHdNbIR3T
        WyAAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBM2HUW7ZQNBSPBSB
        HcRcL4fKUdI0eb9hnVtuK5z2SrXSdqSGQfTjx2/Tr8V6eWVtg6yCya6G+I9utvouASkfmd
        QAAAAhAJyITRvKnWYcdzIxLCzT5VAnXtHX954bl1XvFQcBbq31AAAACHRlc3Qta2V5AQID
        BAUGBw==
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ecdsa384 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAiAAAABNlY2RzYS
        1zaGEyLW5pc3RwMzg0AAAACG5pc3RwMzg0AAAAYQRsvOrxeuv/VbQCx+10z272y2R2KJMG
        0d2lhqcKVcFhzmq3vxqkKnqxZbXwITjluNIPij8QkooHNvVuXTuBHiXnnRWyXGI0JwvG/J
        UOTV1eT8nRfZA84SFZPpzaHVF/A94AAADYxl7av8Ze2r8AAAATZWNkc2Etc2hhMi1uaXN0
        cDM4NAAAAAhuaXN0cDM4NAAAAGEEbLzq8Xrr/1W0AsftdM9u9stkdiiTBtHdpYanClXBYc
        5qt78apCp6sWW18CE45bjSD4o/EJKKBzb1bl07gR4l550VslxiNCcLxvyVDk1dXk/J0X2Q
        POEhWT6c2h1RfwPeAAAAMQCEk1NG8N0zhSNUPr2/Uo70OQ3khiHiCL36skBDTJVYESfoIr
        YyvBenLxgmbejS600AAAAIdGVzdC1rZXkBAgMEBQYH
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ecdsa521 = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAArAAAABNlY2RzYS
        1zaGEyLW5pc3RwNTIxAAAACG5pc3RwNTIxAAAAhQQB0r7xxflMxbSWGsgExOO9dmeLq9re
        AQECjxql5t88oBeDh1alQZ9ulLGDwGgJhA9CnVE+4nJdY4f43BYU/fBsSW8B7g1T3aj4EF
        PEmM78npDnAuMmXDCxWpqW3pcITfuv6/iWcndrUvrgGPL7LBiYd/RoZlHS2Lr6mGjdo/8J
        EpImUecAAAEI9lyF6vZcheoAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQ
        AAAIUEAdK+8cX5TMW0lhrIBMTjvXZni6va3gEBAo8apebfPKAXg4dWpUGfbpSxg8BoCYQP
        Qp1RPuJyXWOH+NwWFP3wbElvAe4NU92o+BBTxJjO/J6Q5wLjJlwwsVqalt6XCE37r+v4ln
        J3a1L64Bjy+ywYmHf0aGZR0ti6+pho3aP/CRKSJlHnAAAAQgCEHmmU6GcqDPt0E5y8MV7L
        JeCMllzV8Ek+gaRGUQcW/m3OAcaD6nXF5T0D671Hy+gqPnSd+bweP6TUH6CIXmUMMgAAAA
        h0ZXN0LWtleQEC
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Ecdsa256Sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIJyITRvKnWYcdzIxLCzT5VAnXtHX954bl1XvFQcBbq31oAoGCCqGSM49
        AwEHoUQDQgAEzYdRbtlA0FI8FIEdxFwvh8pR0jR5v2GdW24rnPZKtdJ2pIZB9OPH
        b9OvxXp5ZW2DrILJrob4j262+i4BKR+Z1A==
        -----END EC PRIVATE KEY-----
        """;

    public const string Ecdsa256Pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnIhNG8qdZhx3MjEs
        LNPlUCde0df3nhuXVe8VBwFurfWhRANCAATNh1Fu2UDQUjwUgR3EXC+HylHSNHm/
        YZ1bbiuc9kq10nakhkH048dv06/FenllbYOsgsmuhviPbrb6LgEpH5nU
        -----END PRIVATE KEY-----
        """;
}
