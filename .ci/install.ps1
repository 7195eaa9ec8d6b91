# Installs the newest release of astragal: irm https://github.com/astragal-games/astragal/releases/latest/download/install.ps1 | iex
# ASTRAGAL_URL names another folder of archives, ASTRAGAL_BIN another place for the program.
$ErrorActionPreference = 'Stop'
$url = if ($env:ASTRAGAL_URL) { $env:ASTRAGAL_URL } else { 'https://github.com/astragal-games/astragal/releases/latest/download' }
$bin = if ($env:ASTRAGAL_BIN) { $env:ASTRAGAL_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\astragal' }
$name = 'astragal-x86_64-pc-windows-msvc'

$folder = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory $folder | Out-Null
try {
    $archive = Join-Path $folder "$name.zip"
    Invoke-WebRequest -UseBasicParsing "$url/$name.zip" -OutFile $archive
    Invoke-WebRequest -UseBasicParsing "$url/$name.zip.sha256" -OutFile "$archive.sha256"
    $expected = ((Get-Content "$archive.sha256" -Raw) -split '\s+')[0]
    if ((Get-FileHash $archive -Algorithm SHA256).Hash -ne $expected) { throw "the checksum of $name.zip is wrong" }
    Expand-Archive $archive -DestinationPath $folder
    New-Item -ItemType Directory -Force $bin | Out-Null
    Move-Item -Force (Join-Path $folder "$name\astragal.exe") (Join-Path $bin 'astragal.exe')
} finally {
    Remove-Item -Recurse -Force $folder
}

$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (($path -split ';') -notcontains $bin) {
    [Environment]::SetEnvironmentVariable('Path', "$path;$bin", 'User')
    $env:Path += ";$bin"
}
Write-Output "$(& (Join-Path $bin 'astragal.exe') --version) is in $bin"
Write-Output 'Try: astragal play tice'
