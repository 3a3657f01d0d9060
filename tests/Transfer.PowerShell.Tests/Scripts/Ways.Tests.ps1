BeforeAll {
    . $PSScriptRoot/Common.ps1
    $uri = [uri] $env:TRANSFER_SFTP
    # A proxy that tunnels (HTTP CONNECT), and says who came through it, and where to.
    Add-Type -Path $PSScriptRoot/ConnectProxy.cs
    $proxy = [ConnectProxy]::new()
    $through = "http://127.0.0.1:$($proxy.Port)"
    $proxyLogin = [pscredential]::new('gate', (ConvertTo-SecureString 'gate secret' -AsPlainText -Force))
    function Get-Basic($text) { 'Basic ' + [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($text)) }
}
AfterAll { $proxy.Dispose() }

Describe '-Proxy' {
    BeforeEach { $proxy.Seen.Clear() }
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'leads connections through a proxy: <_>' -ForEach 'Sftp', 'Ftp' {
        & "Connect-$_" -Proxy $through | Out-Null
        'x' | Set-TransferContent through-proxy.txt
        Get-TransferContent through-proxy.txt | Should -Be x
        $proxy.Seen.Count | Should -BeGreaterThan 0
    }

    It 'leads a drive through a proxy, with the drive''s other parameters' {
        $known = Join-Path $local known_hosts_of_drive
        Set-Content $known $env:TRANSFER_KNOWN_HOSTS -NoNewline
        if (-not $IsWindows) { chmod 600 "$local/id_ed25519" }
        $how = @{
            Root = "sftp://sync@$($uri.Authority)/"; IdentityFile = "$local/id_ed25519"; KnownHostsFile = $known
            Proxy = $through; ProxyCredential = $proxyLogin; MaxSessions = 2; IdleTimeout = [timespan] '0:0:30'
        }
        New-PSDrive far -PSProvider Transfer @how | Out-Null
        $proxy.Seen[-1] | Should -BeExactly "$($uri.Host):$($uri.Port) $(Get-Basic 'gate:gate secret')"
        Set-Content far:/by-drive.txt far
        Get-Content "$env:TRANSFER_SFTP_FOLDER/by-drive.txt" | Should -Be far
        Remove-PSDrive far
        Get-TransferServer | Should -BeNullOrEmpty
    }

    It 'takes a log-in, in the address or beside it, and not both' {
        Connect-TransferServer $uri -Credential $credential -Pin $env:TRANSFER_SFTP_PIN -Proxy $through -ProxyCredential $proxyLogin |
            Disconnect-TransferServer
        $proxy.Seen[-1] | Should -BeExactly "$($uri.Host):$($uri.Port) $(Get-Basic 'gate:gate secret')"
        Connect-Sftp -Proxy "http://me:sec%3Aret@127.0.0.1:$($proxy.Port)" | Disconnect-TransferServer
        $proxy.Seen[-1] | Should -BeLike "*$(Get-Basic 'me:sec:ret')"
        $errors = Get-Errors { Connect-Sftp -Proxy "http://me:word@127.0.0.1:$($proxy.Port)" -ProxyCredential $proxyLogin }
        $errors[0].CategoryInfo.Category | Should -Be InvalidArgument
        "$errors" | Should -Not -Match 'word'
    }

    It 'is refused where it is no address of a proxy: <_>' -ForEach @(
        'ftp://proxy:21', 'http://proxy:80/path', 'proxy', 'http://a%0Ab@proxy:80'
    ) {
        $errors = Get-Errors { Connect-Sftp -Proxy $_ }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'leads to the keys of a host' {
        $keys = Get-TransferHostKey $uri.Host -Port $uri.Port -Proxy $through -ProxyCredential $proxyLogin
        $keys.Fingerprint | Should -Contain $env:TRANSFER_SFTP_PIN
        $proxy.Seen | Should -HaveCount 5 -Because 'there is one connection a type of key'
    }

    It 'has no place where there is no server' {
        (Get-Errors { Connect-TransferServer "file://$local/" -Proxy $through })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }
}

Describe '-Jump' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'goes to the jump host first, which has to let connections through' {
        $known = Join-Path $local known_hosts_of_jump
        (Get-TransferHostKey $uri.Host -Port $uri.Port).KnownHostsLine | Set-Content $known
        $jump = "demo@$($uri.Host):$($uri.Port)"
        $errors = Get-Errors { Connect-TransferServer $uri -Credential $credential -KnownHostsFile $known -Jump $jump }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be AuthenticationError -Because 'the password of the server is not for the jump host'
    }

    It 'is no host where it is none' {
        Connect-Sftp -Jump none | Should -Not -BeNullOrEmpty
    }

    It 'is refused where it is not understood, or has no place' {
        (Get-Errors { Connect-Sftp -Jump 'a b' })[0].CategoryInfo.Category | Should -Be InvalidArgument
        (Get-Errors { Connect-Ftp -Jump gate })[0].CategoryInfo.Category | Should -Be InvalidArgument
        (Get-Errors { Connect-TransferServer "file://$local/" -Jump gate })[0].CategoryInfo.Category | Should -Be InvalidArgument
        foreach ($errors in (Get-Errors { Connect-TransferServer "file://$local/" -Pin SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 }),
            (Get-Errors { Connect-TransferServer "file://$local/" -IdentityFile "$local/id_ed25519" })) {
            $errors[0].CategoryInfo.Category | Should -Be InvalidArgument
            $errors[0].Exception.Message | Should -Match 'Pin, IdentityFile,.* not for file:'
        }
    }

    It 'is asked for the keys of a host, too' {
        (Get-Errors { Get-TransferHostKey $uri.Host -Port $uri.Port -Jump 'a b' })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'gives way to the configuration, in which a host may have another name' {
        $before, $env:HOME = $env:HOME, (New-Item "$local/home/.ssh" -ItemType Directory -Force).Parent.FullName
        try {
            Set-Content "$env:HOME/.ssh/config" "Host partner`n HostName $($uri.Host)`n Port $($uri.Port)"
            $keys = Get-TransferHostKey partner -UseSshConfig
            $keys.Fingerprint | Should -Contain $env:TRANSFER_SFTP_PIN
            @($keys.KnownHostsLine)[0] | Should -BeLike "?$($uri.Host)?:$($uri.Port) *"
        } finally { $env:HOME = $before }
    }
}
