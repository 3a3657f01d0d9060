BeforeAll { . $PSScriptRoot/Common.ps1 }

Describe 'Connect-TransferServer' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'connects over <_>, and the server is the current one' -ForEach 'Ftp', 'Sftp' {
        $server = & "Connect-$_" -Name one
        $server.Name | Should -Be one
        $server.Uri.UserInfo | Should -Not -Match ':'
        (Get-TransferServer).Name | Should -Be one
        Test-TransferServer -Quiet | Should -BeTrue
        (Test-TransferServer).Elapsed | Should -BeGreaterThan ([timespan]::Zero)
    }

    It 'refuses a wrong password, and does not show it' {
        $wrong = [pscredential]::new('demo', (ConvertTo-SecureString 'wrong-secret' -AsPlainText -Force))
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_SFTP -Credential $wrong -Pin $env:TRANSFER_SFTP_PIN }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Auth,*'
        $errors[0].CategoryInfo.Category | Should -Be AuthenticationError
        $errors[0].ErrorDetails.RecommendedAction | Should -Match 'Credential'
        "$errors" | Should -Not -Match 'wrong-secret'
        Get-TransferServer | Should -BeNullOrEmpty
    }

    It 'refuses a host key that is not known, and says how to go on' {
        $known = Join-Path $local known_hosts
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $errors[0].CategoryInfo.Category | Should -Be SecurityError
        $errors[0].ErrorDetails.RecommendedAction | Should -Match '-AcceptNewHostKey'
    }

    It 'remembers a host key that is new, where it is told to' {
        $known = Join-Path $local known_hosts_new
        Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known -AcceptNewHostKey | Disconnect-TransferServer
        Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known | Should -Not -BeNullOrEmpty
    }

    It 'refuses a certificate that nobody vouches for' {
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_FTP -Credential $credential }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Tls,*'
        $errors[0].CategoryInfo.Category | Should -Be SecurityError
    }

    It 'refuses options that are for another protocol' {
        (Get-Errors { Connect-TransferServer $env:TRANSFER_FTP -AcceptNewHostKey })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'refuses a name that is taken, and an address that is none' {
        Connect-Sftp -Name one | Out-Null
        (Get-Errors { Connect-Sftp -Name one })[0].CategoryInfo.Category | Should -Be ResourceExists
        (Get-Errors { Connect-TransferServer folder/file })[0].CategoryInfo.Category | Should -Be InvalidArgument
        (Get-Errors { Connect-TransferServer gopher://host/ })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.*'
    }
}

Describe 'Several servers' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'names the later ones by number, and the latest is the current one' {
        $first, $second = (Connect-Sftp), (Connect-Ftp)
        $second.Name | Should -Be "$($first.Name)#2"
        New-TransferFolder at-the-second | Out-Null
        Test-TransferPath at-the-second -Server $second | Should -BeTrue
        Test-TransferPath at-the-second -Server $first.Name | Should -BeFalse
    }

    It 'gets servers by pattern, and says where none has a name' {
        Connect-Sftp -Name alpha | Out-Null
        Connect-Ftp -Name beta | Out-Null
        (Get-TransferServer a*).Name | Should -Be alpha
        (Get-Errors { Get-TransferServer gamma })[0].CategoryInfo.Category | Should -Be ObjectNotFound
        Disconnect-TransferServer alpha
        (Get-TransferServer).Name | Should -Be beta
        (Get-Errors { Disconnect-TransferServer alpha })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'does not work at a server that is closed, or at none' {
        $server = Connect-Sftp
        Disconnect-TransferServer $server
        $errors = Get-Errors { Get-TransferEntry -Server $server }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Lost,*'
        "$errors" | Should -Match "The server '127.0.0.1.*' is closed"
        Get-Errors { Get-TransferEntry } | Should -HaveCount 1
        Test-TransferServer -Quiet -Server file:///tmp | Should -BeTrue
    }

    It 'is used from several runspaces at once' {
        $server = Connect-Sftp
        1..4 | ForEach-Object { "$_" | Set-TransferContent "parallel$_.txt" }
        $module = $env:TRANSFER_MODULE
        $read = 1..4 | ForEach-Object -Parallel { Import-Module $using:module; Get-TransferContent "parallel$_.txt" -Server $using:server }
        $read | Sort-Object | Should -Be '1', '2', '3', '4'
    }
}

Describe 'Libraries of the module' {
    It 'have a load context of their own' {
        $assemblies = [System.Runtime.Loader.AssemblyLoadContext]::All | Where-Object Name -eq Transfer | ForEach-Object { $_.Assemblies.GetName().Name }
        $assemblies | Should -Contain Transfer.Core
        [System.Runtime.Loader.AssemblyLoadContext]::Default.Assemblies.GetName().Name | Should -Not -Contain Transfer.Core
    }
}
