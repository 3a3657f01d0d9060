# What commands ask a user, and what they do with the answers. Changes.ps1 has the answer No to everything.
BeforeAll {
    . $PSScriptRoot/Common.ps1
    . $PSScriptRoot/User.ps1
    $there = $env:TRANSFER_SFTP_FOLDER
    $server = Connect-Sftp -Name asked
    function New-Folder([string] $name) {
        Remove-Item "$there/$name" -Recurse -ErrorAction Ignore
        $null = New-Item "$there/$name" -ItemType Directory
        [System.IO.File]::WriteAllText("$there/$name/in.txt", 'in')
    }
}
AfterAll { Get-TransferServer | Disconnect-TransferServer }

Describe 'Remove-TransferEntry -Recurse' {
    BeforeEach { New-Folder one; New-Folder two }

    It 'asks before a folder, once, and <Answer> <Outcome>' -ForEach @(
        @{ Answer = 'Yes'; Outcome = 'deletes it'; Left = $false }
        @{ Answer = 'No'; Outcome = 'leaves it'; Left = $true }
    ) {
        $done = Invoke-WithUser ([AnsweringHost]::new($Answer)) { param($server) Remove-TransferEntry one -Recurse -Server $server } $server
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -HaveCount 1
        Test-Path "$there/one" | Should -Be $Left
    }

    It 'asks once with -Confirm, and where all commands are to ask' {
        foreach ($block in { param($server) Remove-TransferEntry one -Recurse -Confirm -Server $server },
            { param($server) $ConfirmPreference = 'Low'; Remove-TransferEntry two -Recurse -Server $server }) {
            $done = Invoke-WithUser ([AnsweringHost]::new('Yes')) $block $server
            $done.Errors | Should -BeNullOrEmpty
            $done.User.Prompts | Should -HaveCount 1
        }
        Test-Path "$there/one", "$there/two" | Should -Be $false, $false
    }

    It 'asks no more after Yes to All' {
        $done = Invoke-WithUser ([AnsweringHost]::new('Yes to All')) {
            param($server) 'one', 'two' | Remove-TransferEntry -Recurse -Server $server } $server
        $done.User.Prompts | Should -HaveCount 1
        Test-Path "$there/one", "$there/two" | Should -Be $false, $false
    }

    It 'asks nothing <Name>' -ForEach @(
        @{ Name = 'with -Force'; Block = { param($server) Remove-TransferEntry one -Recurse -Force -Server $server } }
        @{ Name = 'with -Confirm:$false'; Block = { param($server) Remove-TransferEntry one -Recurse -Confirm:$false -Server $server } }
        @{ Name = 'where no command is to ask'; Block = {
            param($server) $ConfirmPreference = 'None'; Remove-TransferEntry one -Recurse -Server $server } }
        @{ Name = 'of a file'; Block = { param($server) Remove-TransferEntry one/in.txt -Server $server } }
    ) {
        $done = Invoke-WithUser ([AnsweringHost]::new()) $Block $server
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -BeNullOrEmpty
        Test-Path "$there/one/in.txt" | Should -BeFalse
    }
}

Describe 'Sync-TransferFolder' {
    BeforeAll {
        $null = New-Item "$local/site" -ItemType Directory
        Set-Content "$local/site/new.txt" new
    }
    BeforeEach { New-Folder mirror }

    It 'asks before it deletes, and <Answer> <Outcome>' -ForEach @(
        @{ Answer = 'Yes'; Outcome = 'synchronizes'; Left = $false }
        @{ Answer = 'No'; Outcome = 'changes nothing'; Left = $true }
    ) {
        $done = Invoke-WithUser ([AnsweringHost]::new($Answer)) {
            param($server) Sync-TransferFolder "$local/site" mirror -Direction Up -Delete -Server $server } $server
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -HaveCount 1
        $done.User.Prompts[0] | Should -Match 'delete what the source has not'
        Test-Path "$there/mirror/in.txt" | Should -Be $Left
        Test-Path "$there/mirror/new.txt" | Should -Be (-not $Left)
    }

    It 'asks nothing without -Delete' {
        $done = Invoke-WithUser ([AnsweringHost]::new()) {
            param($server) Sync-TransferFolder "$local/site" mirror -Direction Up -Server $server } $server
        $done.Errors | Should -BeNullOrEmpty
        $done.Output.Files | Should -Be 1
    }

    It 'says with -WhatIf what it would do, a line an item, and writes the items with -PassThru' {
        $done = Invoke-WithUser ([AnsweringHost]::new()) {
            param($server) Sync-TransferFolder "$local/site" mirror -Direction Up -Delete -WhatIf -PassThru -Server $server } $server
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -BeNullOrEmpty
        $done.Output | Should -HaveCount $done.User.Lines.Count
        ($done.Output | Where-Object Type -EQ File | Sort-Object Path | ForEach-Object { "$($_.Action) $($_.Path)" }) |
            Should -Be 'Delete in.txt', 'Transfer new.txt'
        foreach ($item in $done.Output) {
            $done.User.Lines | Should -Contain "What if: Performing the operation `"$($item.Action)`" on target `"$($item.Path)`"."
        }
        Test-Path "$there/mirror/in.txt" | Should -BeTrue
        Test-Path "$there/mirror/new.txt" | Should -BeFalse
    }
}

Describe 'An unknown host key' {
    # No known_hosts file of this machine has the server's key.
    BeforeAll { $before, $env:HOME = $env:HOME, (New-Item "$local/nobody" -ItemType Directory).FullName }
    AfterAll { $env:HOME = $before }

    It 'is shown, and trusted for this time where the user says so: <Name>' -ForEach @(
        @{ Name = 'Connect-TransferServer'; Block = {
            Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile none } }
        @{ Name = 'New-PSDrive'; Block = {
            New-PSDrive asks -PSProvider Transfer -Root $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile none } }
        @{ Name = '-Server with a URI'; Block = { Get-TransferEntry -Server $env:TRANSFER_SFTP -Credential $credential } }
        @{ Name = '-ToServer with a URI'; Block = {
            $uri = [uriBuilder] $env:TRANSFER_SFTP; $uri.UserName, $uri.Password = 'demo', 'demo'
            Copy-TransferFile odd.txt again.txt -Server asked -ToServer $uri.Uri } }
    ) {
        Set-Content "$there/odd.txt" odd
        $done = Invoke-WithUser ([AnsweringHost]::new('Yes')) $Block
        $done.Errors | Should -BeNullOrEmpty
        $done.Output | Should -Not -BeNullOrEmpty
        $done.User.Prompts | Should -HaveCount 1
        $done.User.Prompts[0] | Should -Match ([regex]::Escape($env:TRANSFER_SFTP_PIN))
        Test-Path none, "$env:HOME/.ssh/known_hosts" | Should -Be $false, $false
        Get-TransferServer | Where-Object Name -NE asked | Disconnect-TransferServer
    }

    It 'is refused where the user does not trust it' {
        $done = Invoke-WithUser ([AnsweringHost]::new('No')) { Get-TransferEntry -Server $env:TRANSFER_SFTP -Credential $credential }
        $done.Errors | Should -HaveCount 1
        $done.Errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $done.User.Prompts | Should -HaveCount 1
    }

    It 'that is not the known one is refused without a prompt' {
        $known = Join-Path $local known_hosts_changed
        $uri = [uri] $env:TRANSFER_SFTP
        $other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
        Set-Content $known "[$($uri.Host)]:$($uri.Port) $other"
        $done = Invoke-WithUser ([AnsweringHost]::new()) {
            param($known) Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known } $known
        $done.Errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $done.User.Prompts | Should -BeNullOrEmpty
    }
}

Describe 'Questions at the log-in' {
    BeforeAll {
        $uri = [uriBuilder] $env:TRANSFER_SFTP
        $uri.UserName, $uri.Password = 'demo', ''
        $uri = "$($uri.Uri)"
    }

    It 'of the server are answered unseen' {
        $done = Invoke-WithUser ([AnsweringHost]::new('demo')) {
            param($uri) Connect-TransferServer $uri -Pin $env:TRANSFER_SFTP_PIN | Disconnect-TransferServer } $uri
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -HaveCount 1
        $done.User.Prompts[0] | Should -Match 'Password: *\(unseen\)'
        "$($done.User.Lines)" | Should -Match 'demo at'
    }

    It 'are asked once, and fail the log-in where the command that could ask has ended' {
        Add-Type -Path $PSScriptRoot/ConnectProxy.cs
        $proxy = [ConnectProxy]::new()
        $done = Invoke-WithUser ([AnsweringHost]::new('demo')) {
            param($uri, $proxy) Connect-TransferServer $uri -Pin $env:TRANSFER_SFTP_PIN -Proxy $proxy -Name questions
        } $uri "http://127.0.0.1:$($proxy.Port)"
        $done.Errors | Should -BeNullOrEmpty
        # The connection is lost, and a new one needs a new log-in.
        $proxy.Cut()
        $errors = Get-Errors { Get-TransferEntry -Server questions; Get-TransferEntry -Server questions }
        $errors.FullyQualifiedErrorId | Should -BeLike 'Transfer.*'
        $done.User.Prompts | Should -HaveCount 1
        Disconnect-TransferServer questions
        $proxy.Dispose()
    }

    It 'of an encrypted key file are answered unseen' {
        $key = [System.Security.Cryptography.ECDsa]::Create([System.Security.Cryptography.ECCurve+NamedCurves]::nistP256)
        $how = [System.Security.Cryptography.PbeParameters]::new('Aes256Cbc', 'SHA256', 1000)
        Set-Content "$local/encrypted" $key.ExportEncryptedPkcs8PrivateKeyPem('of the key', $how)
        if (-not $IsWindows) { chmod 600 "$local/encrypted" }
        $done = Invoke-WithUser ([AnsweringHost]::new('of the key')) {
            Connect-Sftp -IdentityFile "$local/encrypted" | Disconnect-TransferServer }
        $done.Errors | Should -BeNullOrEmpty
        $done.User.Prompts | Should -HaveCount 1
        $done.User.Prompts[0] | Should -Match 'Passphrase *\(unseen\)'
    }
}
