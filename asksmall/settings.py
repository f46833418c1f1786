"""Every switch of an install, read from the environment once. `docs/settings.md` is the table of them, and a test holds it true."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.utils.crypto import salted_hmac
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.types import Town

BASE_DIR = Path(__file__).resolve().parent.parent


class Switches(BaseSettings):
    """The environment variables that change an install; secrets come from here alone. An empty one counts as not set."""

    model_config = SettingsConfigDict(extra="ignore", env_ignore_empty=True)

    data_dir: Path = Field(BASE_DIR / "var", alias="ASKSMALL_DATA_DIR", description="The folder of every file that a default install writes.")
    town: Path = Field(BASE_DIR / "town.toml", alias="ASKSMALL_TOWN", description="The town file, in TOML.")
    database_url: str = Field("", alias="DATABASE_URL", description="The curated tables; empty is SQLite in the data folder.")
    system_database_url: str = Field("", alias="SYSTEM_DATABASE_URL", description="The audit; empty is SQLite in the data folder.")
    secret_key: str = Field("", alias="ASKSMALL_SECRET_KEY", description="Django's secret; empty is one made once and kept in the data folder.")
    echo_keys: str = Field(
        "",
        alias="ASKSMALL_ECHO_KEYS",
        description="The keys of follow-ups, with commas between: the first signs, all verify; empty is one made from the secret.",
    )
    debug: bool = Field(False, alias="ASKSMALL_DEBUG", description="Django's debug pages; never on a public address.")
    allowed_hosts: str = Field(
        "localhost,127.0.0.1,[::1]", alias="ASKSMALL_ALLOWED_HOSTS", description="The host names that the site answers to, with commas between."
    )
    https: bool = Field(False, alias="ASKSMALL_HTTPS", description="The site is reached by HTTPS, through a proxy that sets X-Forwarded-Proto.")
    floor: float = Field(0.375, alias="ASKSMALL_FLOOR", ge=0, le=1, description="The least cosine at which a phrase may mean a tag (A-12).")
    snapshots_kept: int = Field(10, alias="ASKSMALL_SNAPSHOTS_KEPT", ge=2, description="How many published snapshots are kept for a rollback.")
    audit_days: int = Field(90, alias="ASKSMALL_AUDIT_DAYS", ge=1, le=36_500, description="For how many days the audit keeps what was asked.")


def read_switches() -> Switches:
    """Read the environment. Raises ImproperlyConfigured that names the variable and the mend."""
    try:
        return Switches()
    except ValidationError as error:
        first = error.errors()[0]
        variable = first["loc"][0]
        raise ImproperlyConfigured(f"{variable} is {first['input']!r}: {first['msg']}. docs/settings.md says what it may be.") from error


def read_town(path: Path) -> Town:
    try:
        return Town.read(path)
    except ValueError as error:
        raise ImproperlyConfigured(f"ASKSMALL_TOWN: {error}") from error


def read_database(url: str, default_file: Path, variable: str = "DATABASE_URL") -> dict[str, object]:
    """The URL in `variable` as Django's dictionary. Raises ImproperlyConfigured for a URL that is none."""
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(default_file),
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"},
        }
    try:
        parsed = dj_database_url.parse(url)  # no lasting connections: under ASGI they would pile up
    except (ValueError, dj_database_url.ParseError) as error:
        raise ImproperlyConfigured(f"{variable} is no database address; it looks like postgres://user:password@host:5432/name") from error
    if parsed["ENGINE"] == "django.db.backends.postgresql":
        parsed["OPTIONS"] = {"connect_timeout": 5, **parsed.get("OPTIONS", {})}
    return dict(parsed)


def make_data_dir(path: Path) -> Path:
    """Make the data folder where it is not there yet. Raises ImproperlyConfigured where nothing can be written."""
    folder = path.resolve()
    say = f"ASKSMALL_DATA_DIR is {folder}, where nothing can be written; name a folder that can be written"
    try:
        (folder / "static").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{say} ({error})") from error
    if not os.access(folder, os.W_OK):
        raise ImproperlyConfigured(say)
    return folder


def keep_secret(path: Path, size: int = 50) -> str:
    """A random text of `size` bytes, base64, mode 0600: made when first asked, then read back. However many ask at once, all read the same, whole."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(size), encoding="ascii")
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text(encoding="ascii")


def read_echo_keys(listed: str, secret: str) -> tuple[str, ...]:
    """The keys that sign follow-ups, the signing one first. Raises ImproperlyConfigured, without a word of the key, for one that could be guessed."""
    keys = tuple(key.strip() for key in listed.split(",") if key.strip())
    if any(len(key) < 32 for key in keys):
        raise ImproperlyConfigured("ASKSMALL_ECHO_KEYS has a key of fewer than 32 characters; docs/settings.md says how to make one")
    return keys or (salted_hmac("asksmall.echo.keys", "", secret, algorithm="sha256").hexdigest(),)


SWITCHES = read_switches()
DATA_DIR = make_data_dir(SWITCHES.data_dir)
SNAPSHOT_DIR = DATA_DIR / "snapshots"
TOWN = read_town(SWITCHES.town)

SECRET_KEY = SWITCHES.secret_key or keep_secret(DATA_DIR / "secret_key")
ECHO_KEYS = read_echo_keys(SWITCHES.echo_keys, SECRET_KEY)
DEBUG = SWITCHES.debug
ALLOWED_HOSTS = [host.strip() for host in SWITCHES.allowed_hosts.split(",") if host.strip()]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "asksmall",
    "places",
    "festivals",
    "agent",
    "audit",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "asksmall.urls"
ASGI_APPLICATION = "asksmall.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": read_database(SWITCHES.database_url, DATA_DIR / "curation.sqlite3"),
    "system": read_database(SWITCHES.system_database_url, DATA_DIR / "smallsystem.db", "SYSTEM_DATABASE_URL"),
}
DATABASE_ROUTERS = ["asksmall.routers.AuditRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
TIME_ZONE = TOWN.timezone.key
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True

SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SWITCHES.https
SECURE_SSL_REDIRECT = SWITCHES.https
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked from inside, without a proxy
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SWITCHES.https else None
SECURE_HSTS_SECONDS = 31_536_000 if SWITCHES.https else 0
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # a town's other host names are not ours to bind
