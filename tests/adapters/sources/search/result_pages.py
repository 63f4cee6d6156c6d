"""Result pages in the layout of DuckDuckGo's page without scripts, written for these tests."""

from __future__ import annotations

from html import escape
from urllib.parse import quote


def wrapped(url: str) -> str:
    """The link of a result: over the engine's redirector."""
    return f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&rut=0a1b2c"


def result(
    url: str, title: str, snippet: str = "", date: str = "", classes: str = "web-result", link: str | None = None
) -> str:
    """One block. link: the target of its title, if it is not the usual one."""
    href = escape(wrapped(url) if link is None else link)
    dated = f"<span>&nbsp; &nbsp; {date}</span>" if date else ""
    shown = f'<a class="result__snippet" href="{href}">{snippet}</a>' if snippet else ""
    return f"""
      <div class="result results_links results_links_deep {classes} ">
        <div class="links_main links_deep result__body">
          <h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{title}</a></h2>
          <div class="result__extras"><div class="result__extras__url">
            <span class="result__icon"><a href="{href}"><img src="/i.ico"></a></span>
            <a class="result__url" href="{href}">{escape(url.partition("//")[2])}</a>{dated}
          </div></div>{shown}<div class="clear"></div>
        </div>
      </div>"""


def result_page(*blocks: str) -> str:
    """A whole page."""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>q at DuckDuckGo</title></head>
      <body class="body--html"><form action="/html/"><input name="q"></form>
      <div class="serp__results"><div id="links" class="results">{"".join(blocks)}
      <div class="nav-link"><form action="/html/"><input type="submit" value="Next"></form></div></div></div></body></html>"""


def advertisement(url: str, title: str) -> str:
    """A block that an advertiser paid for."""
    link = f"//duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=x&u3={quote(url, safe='')}"
    return result(url, title, "Buy now", classes="result--ad", link=link)


NO_RESULTS = result_page(
    '<div class="result results_links result--no-result"><div class="no-results">No results.</div></div>'
)
ANOMALY = """<!DOCTYPE html><html><head><title>DuckDuckGo</title></head><body>
  <form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=sre" method="POST">
  <div class="anomaly-modal__mask"><div class="anomaly-modal"><div class="anomaly-modal__title">A test for robots</div></div></div>
  </form></body></html>"""
