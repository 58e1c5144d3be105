"""Manifests for Scoop and winget."""

import json
from datetime import UTC, datetime

from published import SUMMARY, Published

_WINGET = "1.10.0"  # the version of the manifests' schema


def scoop(release: Published) -> str:
    """The manifest of a bucket: the wheel, installed by uv into an environment of its own.

    Not the stand-alone program: it is not signed, and what virus scanners think of such is luck.
    """
    wheel = f"$dir\\{release.wheel}"
    return _json(
        {
            "version": release.version,
            "description": SUMMARY,
            "homepage": release.page,
            "license": "MIT,Apache-2.0",
            "depends": "uv",
            "url": [release.url(release.wheel), release.url(release.lock)],
            "hash": [release.sums[release.wheel], release.sums[release.lock]],
            "installer": {"script": f'uv tool install --force --constraints "$dir\\{release.lock}" "{wheel}"'},
            "uninstaller": {"script": "uv tool uninstall scrubjay"},
            "notes": "Begin with: scrubjay setup",
            "checkver": {"github": release.page},
            "autoupdate": {
                "url": [
                    release.url(name).replace(release.version, "$version") for name in (release.wheel, release.lock)
                ]
            },
        }
    )


def winget(release: Published) -> dict[str, str]:
    """The three manifests of winget's community repository, by file name; of the stand-alone program for Windows."""
    owner = release.repository.partition("/")[0]
    package = f"{owner}.Scrubjay"
    head = f"PackageIdentifier: {package}\nPackageVersion: {release.version}\n"

    def manifest(kind: str, body: str) -> str:
        schema = f"https://aka.ms/winget-manifest.{kind}.{_WINGET}.schema.json"
        named = f"# yaml-language-server: $schema={schema}\n"
        return f"{named}{head}{body}ManifestType: {kind}\nManifestVersion: {_WINGET}\n"

    day = datetime.fromtimestamp(release.made, UTC).date().isoformat()
    installer = f"""InstallerType: zip
NestedInstallerType: portable
NestedInstallerFiles:
- RelativeFilePath: scrubjay\\scrubjay.exe
  PortableCommandAlias: scrubjay
ArchiveBinariesDependOnPath: true
ReleaseDate: {day}
Installers:
- Architecture: x64
  InstallerUrl: {release.url(release.windows)}
  InstallerSha256: {release.sums[release.windows].upper()}
"""
    locale = f"""PackageLocale: en-US
Publisher: The Scrubjay authors
PackageName: Scrubjay
PackageUrl: {release.page}
License: MIT
LicenseUrl: {release.page}/blob/{release.version}/LICENSE
ShortDescription: {SUMMARY}
Moniker: scrubjay
Tags:
- notes
- obsidian
- search
ReleaseNotesUrl: {release.page}/blob/{release.version}/CHANGELOG.md
"""
    return {
        f"{package}.yaml": manifest("version", "DefaultLocale: en-US\n"),
        f"{package}.installer.yaml": manifest("installer", installer),
        f"{package}.locale.en-US.yaml": manifest("defaultLocale", locale),
    }


def _json(tree: dict[str, object]) -> str:
    return json.dumps(tree, indent=4) + "\n"
