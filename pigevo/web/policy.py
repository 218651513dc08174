"""What the page may do in a browser: load its own files, and nothing else from anywhere."""

from __future__ import annotations

POLICY = "; ".join(
    [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
    ]
)  # fmt: skip
"""The Content-Security-Policy, as it stands in the document."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",  # which documents cannot say of themselves
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""What a server of pigevo's says with every answer."""
