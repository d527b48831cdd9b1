"""HTTP through the sandbox's network policy."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from requests import Response

AGAIN = {429, 500, 502, 503, 504}
REPEATABLE = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}


class NotAllowed(PermissionError):
    """The network policy does not allow this host. Trying again is of no use: say so, or work with a file instead."""


def fetch(url: str, method: str = "GET", retries: int = 3, timeout: float = 20, **options: Any) -> Response:
    """Fetch an address through the network policy, trying again when the site is busy or the connection breaks.

    Gives back a `requests.Response` (`.text`, `.json()`, `.content`). An answer of 400 or more raises
    `requests.HTTPError`; a host that the policy refuses raises `NotAllowed`, with the reason, at once. Options such as
    `params`, `headers` and `json` go to `requests`.

    >>> fetch("https://pypi.org/pypi/requests/json").json()["info"]["version"]
    """
    import requests

    method = method.upper()
    tries = 1 + (max(0, retries) if method in REPEATABLE else 0)
    options["headers"] = {"User-Agent": "Mozilla/5.0 (compatible; Cove)", **(options.get("headers") or {})}
    for attempt in range(1, tries + 1):
        try:
            response = requests.request(method, url, timeout=timeout, **options)
        except requests.exceptions.ProxyError as error:
            _raise_if_refused(url, str(error))
            if attempt == tries:
                raise
        except (requests.exceptions.ConnectionError, requests.exceptions.Timeout):
            if attempt == tries:
                raise
        else:
            if reason := response.headers.get("X-Cove-Egress"):
                _raise_if_refused(url, f"Cove egress: {reason}", response.text.strip())
            if response.status_code not in AGAIN or attempt == tries:
                response.raise_for_status()
                return response
            time.sleep(_wait(response.headers.get("Retry-After"), attempt))
            continue
        time.sleep(_wait(None, attempt))
    raise AssertionError("unreachable")


def _raise_if_refused(url: str, said: str, sentence: str = "") -> None:
    # The proxy's own failures, such as a name that does not exist, are worth another try or a plain error.
    found = re.search(r"Cove egress: (\w+)", said)
    refusals = (
        "egress_off|host_not_allowed|port_not_allowed|read_only|bad_host|private_address|name_mismatch|name_encrypted"
    )
    if found and re.fullmatch(refusals, found[1]):
        raise NotAllowed(sentence or f"The network policy of this sandbox does not allow {url} ({found[1]}).")


def _wait(retry_after: str | None, attempt: int) -> float:
    if retry_after and retry_after.isdigit():
        return min(30.0, float(retry_after))
    return min(8.0, 0.5 * 2.0 ** (attempt - 1))
