"""Who may enter the app (`python3 start.py app`): only who has its token.

Voilà, which shows the panels, asks this class about every request.
"""

from tornado.web import HTTPError
from voila.voila_identity_provider import VoilaIdentityProvider


class OnlyWithToken(VoilaIdentityProvider):
    """Let in who has the token; everybody else gets the answer 403, not a page to log in."""

    async def get_user(self, handler):
        """Return who asks, and give the page what it needs to end its kernel when it is closed."""
        user = await super().get_user(handler)
        if user is None:
            raise HTTPError(403, "open the address with the token that start.py has printed")
        # Reading this sends a cookie. The page has to show it when it asks for its kernel's end;
        # Voilà forgets to send it, so that the kernel of every closed page would stay.
        handler.current_user = user  # which the cookie asks for
        _ = handler.xsrf_token
        return user
