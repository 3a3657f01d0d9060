BeforeAll {
    . $PSScriptRoot/Common.ps1
    $uri = [uri] $env:TRANSFER_SFTP
    function Get-Completion($line) {
        [System.Management.Automation.CommandCompletion]::CompleteInput($line, $line.Length, $null).CompletionMatches
    }
}

Describe 'Get-TransferHostKey' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'reads the keys of a host, which nothing logs in to' {
        $keys = Get-TransferHostKey $uri.Host -Port $uri.Port
        $keys.Fingerprint | Should -Contain $env:TRANSFER_SFTP_PIN
        $key = $keys | Where-Object Fingerprint -EQ $env:TRANSFER_SFTP_PIN
        $key.ComputerName | Should -Be $uri.Host
        $key.Type | Should -Match '^(ssh|ecdsa)-'
        $key.Bits | Should -BeGreaterThan 255
        $key.PublicKey | Should -Match "^$($key.Type) [A-Za-z0-9+/]+=*$"
        "$key" | Should -Be $key.Fingerprint
    }

    It 'shows fingerprints as a table' {
        Get-TransferHostKey $uri.Host -Port $uri.Port | Out-String | Should -Match 'ComputerName +Type +Bits +Fingerprint'
    }

    It 'gives pins to Connect-TransferServer, of all keys of the pipeline' {
        $server = Get-TransferHostKey $uri.Host -Port $uri.Port | Connect-TransferServer $uri -Credential $credential
        $server | Should -HaveCount 1
        Test-TransferServer -Quiet | Should -BeTrue
        $other = [pscustomobject] @{ Fingerprint = 'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8' }
        $errors = Get-Errors { $other | Connect-TransferServer $uri -Credential $credential }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $all = @($other) + (Get-TransferHostKey $uri.Host -Port $uri.Port) + $other
        $all | Connect-TransferServer $uri -Credential $credential -Name both | Should -Not -BeNullOrEmpty
    }

    It 'gives lines of known_hosts' {
        $known = Join-Path $local known_hosts_read
        (Get-TransferHostKey $uri.Host -Port $uri.Port).KnownHostsLine | Set-Content $known
        Connect-TransferServer $uri -Credential $credential -KnownHostsFile $known | Should -Not -BeNullOrEmpty
    }

    It 'says which host is not reached, and reads the others' {
        $listener = [System.Net.Sockets.TcpListener]::new([ipaddress]::Loopback, 0)
        $listener.Start()
        $closed = $listener.LocalEndpoint.Port
        $listener.Stop()
        $hosts = @(
            [pscustomobject] @{ ComputerName = '127.0.0.1'; Port = $closed }
            [pscustomobject] @{ ComputerName = $uri.Host; Port = $uri.Port }
        )
        $errors = Get-Errors { $script:read = $hosts | Get-TransferHostKey }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be ConnectionError
        $errors[0].TargetObject | Should -Be 127.0.0.1
        $script:read.Fingerprint | Should -Contain $env:TRANSFER_SFTP_PIN
        $errors = Get-Errors { Get-TransferHostKey 'one,two' }
        $errors | Should -HaveCount 1
        $errors[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'ends at once where it is stopped' {
        $listener = [System.Net.Sockets.TcpListener]::new([ipaddress]::Loopback, 0)
        $listener.Start()
        $shell = [powershell]::Create().AddScript({
            param($module, $port)
            Import-Module $module
            Get-TransferHostKey 127.0.0.1 -Port $port
        }).AddArgument($env:TRANSFER_MODULE).AddArgument($listener.LocalEndpoint.Port)
        $running = $shell.BeginInvoke()
        while (-not $listener.Pending() -and -not $running.IsCompleted) { Start-Sleep -Milliseconds 20 }
        $shell.Stop()
        $shell.InvocationStateInfo.State | Should -Be Stopped
        $shell.Dispose()
        $listener.Stop()
    }
}

Describe 'Completion of -Pin' {
    It 'offers the fingerprints of the host, with their types' {
        $found = Get-Completion "Connect-TransferServer $uri -Pin "
        $found.CompletionText | Should -Contain $env:TRANSFER_SFTP_PIN
        ($found | Where-Object CompletionText -EQ $env:TRANSFER_SFTP_PIN).ToolTip | Should -Match 'bits'
    }

    It 'offers nothing where there is no SSH host' {
        (Get-Completion "Connect-TransferServer $env:TRANSFER_FTP -Pin SHA").CompletionText | Should -Not -Match '^SHA256:'
    }
}
