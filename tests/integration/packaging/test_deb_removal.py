"""What dpkg runs before it removes or replaces the package's files, on a tree of its own with a real daemon in it."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import psutil
import pytest

from scrubjay.daemon.server.endpoints.status import STATUS
from tests.helpers.installation import Installation
from tests.helpers.waiting import until
from tests.integration.packaging.scripts import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Debian packages are for Linux")
SCRIPTS = ROOT / "packaging" / "deb"


def dpkg_runs(script: str, *arguments: str, root: Path) -> str:
    """What a maintainer script says, run as dpkg does with `--force-script-chrootless` (dpkg(1), DPKG_ROOT)."""
    environment = {"PATH": os.environ["PATH"], "DPKG_ROOT": str(root)}
    done = subprocess.run(
        ["/bin/sh", str(SCRIPTS / script), *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def running_from(program: Path) -> list[int]:
    return [each.pid for each in psutil.process_iter() if _exe(each) == str(program)]


def _exe(process: psutil.Process) -> str:
    try:
        return process.exe()
    except psutil.Error:
        return ""


@pytest.mark.parametrize("why", ["remove", pytest.param("upgrade", marks=pytest.mark.slow)])
def test_a_daemon_of_the_package_ends_before_its_files_go_and_no_other_does(tmp_path: Path, why: str) -> None:
    root = tmp_path / "root"
    program = root / "usr" / "lib" / "scrubjay" / "scrubjay"
    program.parent.mkdir(parents=True)
    (root / "run").mkdir()
    shutil.copyfile(Path(sys.executable).resolve(), program)
    program.chmod(0o755)
    installation, other = Installation(tmp_path / "ours"), Installation(tmp_path / "other")
    for each in (installation, other):
        each.write({"Heron.md": "The heron waits."})
        each.create_profile("first")
    environment = {
        **installation.run_environment(),
        "PYTHONHOME": sys.base_prefix,
        "PYTHONPATH": os.pathsep.join((sysconfig.get_path("purelib"), str(ROOT / "build" / "package"))),
    }
    main = "import sys; from scrubjay.daemon.cli import main; sys.exit(main())"
    command = [str(program), "-c", main, "run", "--port", "0"]
    with other.daemon() as client, subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as daemon:
        try:
            until(installation.home.discovery.exists)
            assert daemon.pid in running_from(program)
            said = dpkg_runs("prerm", why, root=root)
            assert daemon.wait(timeout=60) == 0
            assert running_from(program) == []
            assert len(client.ask(STATUS).profiles) == 1
        finally:
            daemon.kill()
    assert "Scrubjay was stopped for:" in said
    assert ("scrubjay start" in said) == (why == "upgrade")


def test_a_removal_says_what_stays_and_how_to_delete_it(tmp_path: Path) -> None:
    said = dpkg_runs("postrm", "remove", root=tmp_path)
    for place in ("~/.local/share/scrubjay", "~/.config/scrubjay", "scrubjay uninstall --purge"):
        assert place in said
    assert dpkg_runs("prerm", "remove", root=tmp_path) == ""
    assert dpkg_runs("postinst", "configure", root=tmp_path) == ""
