namespace Transfer.Tests.Sftp.Keys;

/// <summary>RSA keys that ssh-keygen made for these tests and that open nothing anywhere.</summary>
internal static class TestRsaKeys
{
    public const string Fingerprint = "SHA256:+DIQZ6edl43J1hxUhfgSyQON95bcgJIzst0DID/t7gE";

    public const string Public =
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC2UDAIphSB/T+2IN+UX70b6cKuu5ztDbTDJROqHP2SKLmQtqSsghfwPIJCNyjLG5pMCE7uHeZ1kvvwlJsyI84PD5zSKhpdgW1mQpBbAT4LVQX9slRrx9FdgPGqdVkghq0jYl9eajt4pkPx51hMTpsgM1r1xEQSEK8PqtwRfzRoU2y3wmXw/n9I0PwZWhtrfTwSk4n9kkShV7SxXQWSISz0fhR7A/X9uUbzYPzeKv3mD41JM4SKqKQA/C1ChD88Z51GiPkE0YZdf0kvjmqg3St0D6Bxqnuurlzvncm0zddPqwMP0OUv3OVg3d3Nnh4MA1F8NicSwlvxYHCSPZftSiwT test-key";

    public const string OpenSsh = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABFwAAAAdzc2gtcn
        NhAAAAAwEAAQAAAQEAtlAwCKYUgf0/tiDflF+9G+nCrruc7Q20wyUTqhz9kii5kLakrIIX
        8DyCQjcoyxuaTAhO7h3mdZL78JSbMiPODw+c0ioaXYFtZkKQWwE+C1UF/bJUa8fRXYDxqn
        VZIIatI2JfXmo7eKZD8edYTE6bIDNa9cREEhCvD6rcEX80aFNst8Jl8P5/SND8GVoba308
        EpOJ/ZJEoVe0sV0FkiEs9H4UewP1/blG82D83ir95g+NSTOEiqikAPwtQoQ/PGedRoj5BN
        GGXX9JL45qoN0rdA+gcap7rq5c753JtM3XT6sDD9DlL9zlYN3dzZ4eDANRfDYnEsJb8WBw
        kj2X7UosEwAAA8CH/0dlh/9HZQAAAAdzc2gtcnNhAAABAQC2UDAIphSB/T+2IN+UX70b6c
        Kuu5ztDbTDJROqHP2SKLmQtqSsghfwPIJCNyjLG5pMCE7uHeZ1kvvwlJsyI84PD5zSKhpd
        gW1mQpBbAT4LVQX9slRrx9FdgPGqdVkghq0jYl9eajt4pkPx51hMTpsgM1r1xEQSEK8Pqt
        wRfzRoU2y3wmXw/n9I0PwZWhtrfTwSk4n9kkShV7SxXQWSISz0fhR7A/X9uUbzYPzeKv3m
        D41JM4SKqKQA/C1ChD88Z51GiPkE0YZdf0kvjmqg3St0D6Bxqnuurlzvncm0zddPqwMP0O
        Uv3OVg3d3Nnh4MA1F8NicSwlvxYHCSPZftSiwTAAAAAwEAAQAAAQA8LqhMkpZ+ep0HgD6N
        +jSw/C+aArDAyB99s8WUCFHkZ7EqBkDB+Yfxc+gD97VtpsT+iFeV3yTudwDX4BaDLLKe4i
        aAcgmWCF2Wvi5s/DIBB6YcozufAK0qUqB0BpzPUeXhol2dCzBqmWggeJ/7QI+Qx6MlMg7O
        b9d6MorG89jW/vK7xNvEBZ06L4/r5suBOk6N2TkWJ1m8aLSj7WjH/HldPqyed/FmINCwRR
        c8KBv0aibDrqhaLjdMAojC1LndBnaFefFN5bhVoX80cs4VLXpvU46b+bXZLljpn6D8cdJ4
        TwWSm1SGOsKH+9coUraTb3K9vcNXykqZturagkWcaBthAAAAgQCHuX/HVdrj2RVgVlTFMM
        AhKzcK8fn9slXvCkk/QaK3Z/X7VFc7HUkjErKgQDHnUGy2SSnBQKk8JTVvKgtkGMtjc77p
        bcDDjm20q2JOBJPscw3cHXv1yLdDj3he75OKItbllkKf+LuveFFuDlT5ayuk5G5pnJ5Pgc
        CgXkB8/C3JcAAAAIEA+8r8TxltvIoKvZPeE0/PlBasub8+ok6zM9f5kFG7TrvToe9baO02
        joLlXlitHa38kApAsn27ZM5YxqCevre7CrtgyaD6IYcPEtJXvei7yYgo7w5SsHNmk/FG25
        /pnE0Qmq32rt/RULtZELnEMg77AieBa44ZpewzT4rSXCU3q+sAAACBALlcAsyXCM5L+5ZO
        f7T9xCRTYB3aZto/3q/LwYwk6AR+SsP97+Ie8dMlXkFI16Qx2UC4jbeOzS9cvi6lJRXnYg
        1ZecEPFGc8Uwufht++jJia6iYj47A3tFePgM/6HX4UT8nwkvZ3Ps88Y1K+ZKrnZqp6377K
        Gcjh3yQu88OMRT55AAAACHRlc3Qta2V5AQI=
        -----END OPENSSH PRIVATE KEY-----
        """;

    public const string Pkcs1 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEpAIBAAKCAQEAtlAwCKYUgf0/tiDflF+9G+nCrruc7Q20wyUTqhz9kii5kLak
        rIIX8DyCQjcoyxuaTAhO7h3mdZL78JSbMiPODw+c0ioaXYFtZkKQWwE+C1UF/bJU
        a8fRXYDxqnVZIIatI2JfXmo7eKZD8edYTE6bIDNa9cREEhCvD6rcEX80aFNst8Jl
        8P5/SND8GVoba308EpOJ/ZJEoVe0sV0FkiEs9H4UewP1/blG82D83ir95g+NSTOE
        iqikAPwtQoQ/PGedRoj5BNGGXX9JL45qoN0rdA+gcap7rq5c753JtM3XT6sDD9Dl
        L9zlYN3dzZ4eDANRfDYnEsJb8WBwkj2X7UosEwIDAQABAoIBADwuqEySln56nQeA
        Po36NLD8L5oCsMDIH32zxZQIUeRnsSoGQMH5h/Fz6AP3tW2mxP6IV5XfJO53ANfg
        FoMssp7iJoByCZYIXZa+Lmz8MgEHphyjO58ArSpSoHQGnM9R5eGiXZ0LMGqZaCB4
        n/tAj5DHoyUyDs5v13oyisbz2Nb+8rvE28QFnTovj+vmy4E6To3ZORYnWbxotKPt
        aMf8eV0+rJ538WYg0LBFFzwoG/RqJsOuqFouN0wCiMLUud0GdoV58U3luFWhfzRy
        zhUtem9Tjpv5tdkuWOmfoPxx0nhPBZKbVIY6wof71yhStpNvcr29w1fKSpm26tqC
        RZxoG2ECgYEA+8r8TxltvIoKvZPeE0/PlBasub8+ok6zM9f5kFG7TrvToe9baO02
        joLlXlitHa38kApAsn27ZM5YxqCevre7CrtgyaD6IYcPEtJXvei7yYgo7w5SsHNm
        k/FG25/pnE0Qmq32rt/RULtZELnEMg77AieBa44ZpewzT4rSXCU3q+sCgYEAuVwC
        zJcIzkv7lk5/tP3EJFNgHdpm2j/er8vBjCToBH5Kw/3v4h7x0yVeQUjXpDHZQLiN
        t47NL1y+LqUlFediDVl5wQ8UZzxTC5+G376MmJrqJiPjsDe0V4+Az/odfhRPyfCS
        9nc+zzxjUr5kqudmqnrfvsoZyOHfJC7zw4xFPnkCgYEA1adGNPBE12ji+D5SgFyG
        rQgYhHys7xiMov8uerF/mK10RMJP9FbkpkSX0Fi6fKa32pl4kHxz2HPnjJOaYAaT
        JeYdmLmJxY1O0w+8+B5VygpJgZ/LtoIVlo9zKsUke0ZBQp8+5OByQmjWiIS44Ckq
        AIf5H4SyasJkP6hyG1JRTQUCgYBVAJLwC5soL8QSK7F46J7YIbwENLHSCFQwvfnm
        MM6NsPTMaFlnktVHBO3ydlsdmxaMDZY/xSbnP1qfvXACWXens46YMDglF47l16Rc
        Wt/S48fY8cBqgUEcnlxuA78eoGXur3pVuF1/X6wUt+cmULPOHkcZEUk9zAcuarGy
        zVK70QKBgQCHuX/HVdrj2RVgVlTFMMAhKzcK8fn9slXvCkk/QaK3Z/X7VFc7HUkj
        ErKgQDHnUGy2SSnBQKk8JTVvKgtkGMtjc77pbcDDjm20q2JOBJPscw3cHXv1yLdD
        j3he75OKItbllkKf+LuveFFuDlT5ayuk5G5pnJ5PgcCgXkB8/C3JcA==
        -----END RSA PRIVATE KEY-----
        """;

    public const string Pkcs8 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC2UDAIphSB/T+2
        IN+UX70b6cKuu5ztDbTDJROqHP2SKLmQtqSsghfwPIJCNyjLG5pMCE7uHeZ1kvvw
        lJsyI84PD5zSKhpdgW1mQpBbAT4LVQX9slRrx9FdgPGqdVkghq0jYl9eajt4pkPx
        51hMTpsgM1r1xEQSEK8PqtwRfzRoU2y3wmXw/n9I0PwZWhtrfTwSk4n9kkShV7Sx
        XQWSISz0fhR7A/X9uUbzYPzeKv3mD41JM4SKqKQA/C1ChD88Z51GiPkE0YZdf0kv
        jmqg3St0D6Bxqnuurlzvncm0zddPqwMP0OUv3OVg3d3Nnh4MA1F8NicSwlvxYHCS
        PZftSiwTAgMBAAECggEAPC6oTJKWfnqdB4A+jfo0sPwvmgKwwMgffbPFlAhR5Gex
        KgZAwfmH8XPoA/e1babE/ohXld8k7ncA1+AWgyyynuImgHIJlghdlr4ubPwyAQem
        HKM7nwCtKlKgdAacz1Hl4aJdnQswaploIHif+0CPkMejJTIOzm/XejKKxvPY1v7y
        u8TbxAWdOi+P6+bLgTpOjdk5FidZvGi0o+1ox/x5XT6snnfxZiDQsEUXPCgb9Gom
        w66oWi43TAKIwtS53QZ2hXnxTeW4VaF/NHLOFS16b1OOm/m12S5Y6Z+g/HHSeE8F
        kptUhjrCh/vXKFK2k29yvb3DV8pKmbbq2oJFnGgbYQKBgQD7yvxPGW28igq9k94T
        T8+UFqy5vz6iTrMz1/mQUbtOu9Oh71to7TaOguVeWK0drfyQCkCyfbtkzljGoJ6+
        t7sKu2DJoPohhw8S0le96LvJiCjvDlKwc2aT8Ubbn+mcTRCarfau39FQu1kQucQy
        DvsCJ4Frjhml7DNPitJcJTer6wKBgQC5XALMlwjOS/uWTn+0/cQkU2Ad2mbaP96v
        y8GMJOgEfkrD/e/iHvHTJV5BSNekMdlAuI23js0vXL4upSUV52INWXnBDxRnPFML
        n4bfvoyYmuomI+OwN7RXj4DP+h1+FE/J8JL2dz7PPGNSvmSq52aqet++yhnI4d8k
        LvPDjEU+eQKBgQDVp0Y08ETXaOL4PlKAXIatCBiEfKzvGIyi/y56sX+YrXREwk/0
        VuSmRJfQWLp8prfamXiQfHPYc+eMk5pgBpMl5h2YuYnFjU7TD7z4HlXKCkmBn8u2
        ghWWj3MqxSR7RkFCnz7k4HJCaNaIhLjgKSoAh/kfhLJqwmQ/qHIbUlFNBQKBgFUA
        kvALmygvxBIrsXjontghvAQ0sdIIVDC9+eYwzo2w9MxoWWeS1UcE7fJ2Wx2bFowN
        lj/FJuc/Wp+9cAJZd6ezjpgwOCUXjuXXpFxa39Ljx9jxwGqBQRyeXG4Dvx6gZe6v
        elW4XX9frBS35yZQs84eRxkRST3MBy5qsbLNUrvRAoGBAIe5f8dV2uPZFWBWVMUw
        wCErNwrx+f2yVe8KST9Bordn9ftUVzsdSSMSsqBAMedQbLZJKcFAqTwlNW8qC2QY
        y2NzvultwMOObbSrYk4Ek+xzDdwde/XIt0OPeF7vk4oi1uWWQp/4u694UW4OVPlr
        K6Tkbmmcnk+BwKBeQHz8Lclw
        -----END PRIVATE KEY-----
        """;

    public const string Pkcs8Encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIQ/sNKTUdYvYCAggA
        MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAECBBCRGMaYwLK2F+mznKdY/UoNBIIE
        0PZF35ykf5/9WrEGKV2jzeN6K2pfR6kiswvFW2c/cDuorCGjEc0EP7rbKCt7nXYz
        8xhY+3p6PnyG3k2nNavKTlugG47DFdPZramg7Qtyb2z56bsLTJ088lPQNG7Rug8q
        JUh5Yyf3LiFEFG6MRNYyilMJTCfvE7dA+MpL9MXta4zOL3tcOF0LrxP4J/7pdEwP
        8XVQT1jMl4BNYTFDac1LRJTDon7K4W1nQvDtZepyDVOGjvJGLKKpx0hSMZvNQpo9
        VYFPyxKO47GICly7D+0xRndB2u+zgSO9cYZNYfbVk3PjjDRyTKo2EOTCt57x/NPy
        Dtd9VB/nHjhhZcrm/WY0dLtfaNsEL6TR02LO0K5H/BS6DEvfu0o3Y8xrn6KQYdRS
        ukWed5Q173Mei7UQkDK0CJs0osdpEX4MyQl7phc71djworRqXJPxdy65me4IduNl
        Ac+SMydxr5jHptfcWTCESK0xxXGKXoRoqMOb7Wplco0aTksGQCkgarZf0UUd78ni
        7yYprOG+eysp1hJINntRpx3BfQni2euKzSX1k3UBVR96uCusSaRaD7UmSSLKAx7e
        9KFwscEwJdK8a+/kEyGoevioyj6XVh2n7M52GSQqCZKVXNrnUc1FlAEcjVMkFf6A
        83TnSQbQ/hCC4FnKosMtPAg0uiNOOwSamVQgAIfEj1kAIeA16AlTDzjuSppsr3OZ
        +NPNMftmFF8Mzxa5c04u184CPCGz0c3k6YEEgOhrXukJdvBWpk7GfSae6/EpVy+5
        qCl2YQxbDXsC07LIMTK4/dvyAZm5NhE/86O0xcfmKD8/F+sw9McfSPS8/d4rh5Rj
        Dd0Tsx79Gjv2jqUohAAk6UNIun27Da/tEmcohP5r24h5TWyXkh1InsoBjQyQlvfT
        TKu40i5XqCITsSQFK7fEMSGzcfZAES0C+nJYzBqk2TjcdTDR99s2NA+DH/MTKt3o
        bnxxa0X0GQiaJAvXipJWeyKYiO9xwD1dmQVZ5FOicgmh2qk6lMAhGWXRm927zyak
        G4Hr0kofMgg19aIjvlnbOoiJV/Hl0YItFNF0G2Rkj8OvQShnCk0op4x8PH82jU5s
        kg0HT9hn+XqD+p5RsG2oYmyq6Kuo7ibZVpqpRIIauDD/3xxlfzjpr/kYtcYF4vDU
        zrqzQpFPEvLfomqddnplOB1uCmSTt9ccxvexweaDFqgFU/ZAd5PrF9MwwIKUgr+X
        1PU8XljVAM7IIs+fp1PhrdOqAEB9hz/Ux2b4oGEV/QMUii+Mc8+5nLKiYWROEizD
        bwfVbjaLPvWpzSLUyBgUSuN/iMogQU2tqoNddoaa7+W8+dWclM0DnLcuw83dPSXl
        RVWC88OuO5B+8+JNeV11HTRn/IyiSBpUh2GSEzK3N74EuPIRv4BhUtHt33uBi/Dr
        F5KIVCXJcxgyl9Jlm+M8G3BTx76FZ6k1HHDZeJ6f2ZzpWs79v21z/mcHTBaAGOF5
        X+X+qWAgw0VlWqYuZSEpN/QW6FOp59W02sAf/BMmy4Ok133ulJ4w2+qFhXOOQQwm
        QKcxVmLGf7gzUfIv6bYJrzqIwoNRCJ3BA1lfQBKmGh1h6G6rt8yfSqI08RYHlR4y
        8R0fiXWkH0+sVIlJhMOhzmfC9Zw0zKbEvZ4u/zigA+pL
        -----END ENCRYPTED PRIVATE KEY-----
        """;

    public const string OldPemEncrypted = """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,87AE6771E8E14458EB291A70B53C5964
        
        kEcBljYT2juPeVs9B60kOguGuR6Vl+FoUemBfzOiKWlTXPcmDpo5OPAWMbPzsnkw
        gd1NDIP5cMQtvgNML881m/clX2roq9peWJwiONXhvU8BM1OdlOgsY1fEEQl04qQv
        JjIPF2LkUtXCPTxjwiZ5tzLm7gcIRHKYSR5XBePIhHnDF9SrTdNQxM3MVn80yT84
        LYq/NM9P6nIrM1Lie1MlgQyGLm7RS74hkJw9LP2VhZj02yYTtZtzX6YGzmthDyMC
        7E+66O+6Eoz0pUtBP3jsiIcfn3UaW/M/WnTb63E+LSPZ+WoMSIqTtql497ABUrJ5
        1+O/OV4eM0I0fr+Bxp3/2324iqL4KkuMIdj9VddG8K1R5ZmQQ3BCtgGvVe5pLboO
        Ul7R71M5bY9C6hkosUvEL1gyo1ja/Lt6a3q4QNYINIWmbLddeBm3cnQoTuJ4I4ib
        8QURbQG7AkLWtHSeamJbMXOt88a/dfCDKeNJsFywYCX+7Oa/OyoznSsVoBCQzPUG
        z41ZaV5vfD7862fKC8s2pn7XgBPvM+FcWti7HSFQr7ct7GyKxFntuuZk/jxdnxko
        gj00oWZbJNjHTEGnTrDAfb2V6E6bzzAJvydis8aFqjt0L4uFMfvIIS7k27rc/6wY
        pFdqqUBhArfiB9Srs+TRDeW5IlGb6gnXMQtOiu39Li7YOh9WJ4rH1l7OAXbYHtl+
        WEopV5f70EdYCu+Oq3GvVP8MKN5+qNqfJDLNwUgsAxrWnMh7Sz9V8+VsQT6g7HUM
        jBecCPVdao1apd2lmCfhaI0uDTRm21jYGezsCoHhKNiZ6RL2wnRXQszH8EQ7tIGl
        mO/tgSE9bUF8bpKOC2NHGaeVo+gz8NpgBGcy0VOX3bYBF5/fYDZCWcSWdH4ZLkvF
        b4ayE62+mJVvnmc9x20Mvmpb1s5zXCtDaScJyD7FnfBFbDiE46hdSKZVzLjDHEzZ
        wZds+MgCa+GyD+pkMA59vruf7Rs75I/dzzKr0welAspFk1CwGELx1RHBbaXqJb3A
        SgdGa4uIAw5UD4C6VBaaQOj0aqV7aNzjEN26EByX1nfIj6dOO3ixukrwEGMQpw5X
        78g9hqOYdKnmQTL7mOZm50ZAXCKTw+fvNHkDqV0wwEkW6Sn4rdLC4YZJPkxDEqEO
        XRXLF40K5e1IvumkYNTEIYDuDFArO7Fdz+tj+ybSpZhUNw/vJ496dUf1Q/sQXJGV
        OvLMyEi/htQVyIb9wPY9bYL0Mb4dGf9ROfLyGkvZ15cU7Bp6CHfSn69L1xTQQ3L1
        mzvSvzldaNtKzxCWbbLW96vFHRopqPC9Bjb6+cH9rfK7MSu0C/Ldfi6RITsa3bVx
        wiG7vfMG9LOM3YIz0zklxt712Tfch1IMmfa310sUGkvhN+g1DzSW+5Q1FPjRky9c
        ebZLYgyoPyEum7gKa6spExLv39+ml3l1VGY8sVPIde3Ed1DCM312kw0ACULkXhqY
        unGd4MavfICI83V2X61TqgO3TgLMY5BcFmhd14RCxLNj+QUts84LpSe71M7gebZb
        0ZMWOHqYD1ispwg/wWGQJI8tN6Zvjr08gJHAdJTI7oA8+ywIuRA33tBUX+ttPHw+
        -----END RSA PRIVATE KEY-----
        """;

    // 1,024 bits.
    public const string Short = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAlwAAAAdzc2gtcn
        NhAAAAAwEAAQAAAIEAtsL14b4xB5NkQc2UBLJZ818gVuBFi1fzn4oQuGIIVlgyJjqNhC2X
        iajEWiS4eZGFkmmWRAPnq+KzGH4UPO+Ph46YfuNRNEs9ULrpVGwpJvrYhrROwA3sN9yDP6
        RTuJ9AupWkvrve2rvJ2Xert/zS8BEej88ZQYs+TCA8C+7zDjUAAAIAT1PlOk9T5ToAAAAH
        c3NoLXJzYQAAAIEAtsL14b4xB5NkQc2UBLJZ818gVuBFi1fzn4oQuGIIVlgyJjqNhC2Xia
        jEWiS4eZGFkmmWRAPnq+KzGH4UPO+Ph46YfuNRNEs9ULrpVGwpJvrYhrROwA3sN9yDP6RT
        uJ9AupWkvrve2rvJ2Xert/zS8BEej88ZQYs+TCA8C+7zDjUAAAADAQABAAAAgQCbvUFYcA
        FJ6mDp7ixvYChkyrA9N/orRvSVBEtBRFDEe32otAa6FzvmE8nW4ynMdqRzYsSpCwbVo2Zo
        va+zSZVtRHlp2KancW1p0o4M4zqxNOeLvJc82y3BSKcBuvcbnWpClh7+YRgOrfZH+nNyfs
        FpKMzfc72u53wQ7yx5KQH04QAAAEEAu6VQVhszGZOyeM/6442yjiq6CXSUYTttLANYzghQ
        4gH/Mwx50Y0c2SVh4Fk5nz0LGSEoOgVopFpv627ZDsqCVAAAAEEA8y1wrt9va19D+Lid/E
        JdMXj81G/4e7M3nT79eOWoNlsixfH4oMugehFAepmpWgRdWkNmp4Y7lpZ+RWbfc5kCOQAA
        AEEAwGX9HsO9JUO2KvddiN9KnalpHe/jsRtFnBFCn6NyNxQ66nA+oZgB40TYCsPzkkXl+x
        aMnnQz0BIzSGfYTyE73QAAAAh0ZXN0LWtleQE=
        -----END OPENSSH PRIVATE KEY-----
        """;
}
