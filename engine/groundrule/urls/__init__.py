"""The one reading of URLs that block lists, dedupe, address checks, authority and renderer share.

Everything here is a pure, thread-safe function of its arguments. What parsers could read differently is
refused (`UrlRefused`, in a rule: undecided). Why it is so: docs/decisions/urls.md.
"""

from .addresses import address_is_public
from .lists import Remark, UrlList, domain_in, inline_list, read_list, url_in
from .reading import UrlRefused, canonical, host, is_public_http, is_tenant, registrable_domain

__all__ = [
    "Remark",
    "UrlList",
    "UrlRefused",
    "address_is_public",
    "canonical",
    "domain_in",
    "host",
    "inline_list",
    "is_public_http",
    "is_tenant",
    "read_list",
    "registrable_domain",
    "url_in",
]
