import base64
import hashlib
import hmac
import time


# headers: with lower-case names. body: the raw bytes of the request, before any JSON parser.
def is_genuine(headers, body: bytes, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if len(key) < 24:
        raise ValueError("The secret is not set")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode(errors="replace") + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # There are two signatures for 24 hours after a rotation.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(given.encode(errors="replace"), expected) for given in signatures)
