"""Where Scrubjay keeps its files: the platform's own folders, or all below `$SCRUBJAY_HOME`."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_APP = "scrubjay"


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one installation. None of them lies in a vault."""

    config: Path  # settings.toml and the user's filter rules
    data: Path  # profiles/, clients, the installation key: what must be backed up
    state: Path  # daemon.json, logs: what may vanish
    cache: Path  # models that the user asked for

    @classmethod
    def find(cls) -> "Home":
        """The installation that the environment points to."""
        if root := os.environ.get("SCRUBJAY_HOME"):
            return cls.below(Path(root).expanduser().absolute())
        return cls(
            config=Path(platformdirs.user_config_dir(_APP, appauthor=False)),
            data=Path(platformdirs.user_data_dir(_APP, appauthor=False)),
            state=Path(platformdirs.user_state_dir(_APP, appauthor=False)),
            cache=Path(platformdirs.user_cache_dir(_APP, appauthor=False)),
        )

    @classmethod
    def below(cls, root: Path) -> "Home":
        """An installation that keeps everything in one folder."""
        return cls(config=root / "config", data=root / "data", state=root / "state", cache=root / "cache")

    def make(self) -> "Home":
        """Create the folders, readable by their owner alone. Returns itself."""
        for folder in (self.config, self.data, self.state, self.cache):
            folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.mkdir(exist_ok=True, mode=0o700)
            if folder.stat().st_mode & 0o777 != 0o700:  # not in vain, which a disk that can only be read would refuse
                folder.chmod(0o700)
        return self

    @property
    def profiles(self) -> Path:
        """One folder a profile below this one."""
        return self.data / "profiles"

    @property
    def models(self) -> Path:
        """The embedding models that the user had downloaded: nothing else is in the cache."""
        return self.cache

    @property
    def machine(self) -> Path:
        """Who this machine is among those of a team's members: random bytes."""
        return self.data / "machine.id"

    @property
    def discovery(self) -> Path:
        """Written by a running daemon: its address and identity."""
        return self.state / "daemon.json"

    @property
    def stop_request(self) -> Path:
        """Written by a command that wants the daemon to stop, where signals can't ask for it (Windows)."""
        return self.state / "stop"

    @property
    def page(self) -> Path:
        """Written by a running daemon: opens the search page in a browser, for who can read it."""
        return self.state / "open" / "scrubjay.html"

    @property
    def clients(self) -> Path:
        """Who may ask: names, scopes and hashed tokens."""
        return self.data / "clients.json"

    @property
    def logs(self) -> Path:
        """Rotated log files."""
        return self.state / "logs"

    @property
    def backups(self) -> Path:
        """Backups of profiles that the user made on the search page or over the API."""
        return self.data / "backups"

    @property
    def evaluations(self) -> Path:
        """Measures of runs of `scrubjay eval` that the user saved."""
        return self.data / "evaluations"

    @property
    def user_rules(self) -> Path:
        """The user's own credential rules, if they wrote any."""
        return self.config / "rules.toml"

    @property
    def settings(self) -> Path:
        """The user's settings, if they changed any."""
        return self.config / "settings.toml"
