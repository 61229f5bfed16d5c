/**
 * Links in emails. The token is in the fragment, so a small page posts it, and a cookie for the link's path stores it for
 * the page and its forms, also while the visitor signs in. Opening a link does not consume its token.
 */
import { createHash } from 'node:crypto'
import { html } from 'hono/html'
import { linkPaths, tokenInLink } from '../contract/portal/paths.ts'
import { plainPage } from '../http/plain-page.ts'
import { readPortalBody } from '../http/portal-body.ts'
import { isSafeMethod } from '../http/security-headers.ts'

const secondsKept = 30 * 60
/** The most tokens of a path in the cookie, newest first, because several links can be open. */
const tokensMax = 4

export function createMailLinks(publicOrigin: string) {
  const isHttps = publicOrigin.startsWith('https:')
  const cookieName = `${isHttps ? '__Secure-' : ''}sandpiper-link`

  function tokensIn(headers: Headers): string[] {
    const cookies = headers.get('cookie')?.split(/;\s*/) ?? []
    return cookies
      .flatMap((cookie) =>
        cookie.startsWith(`${cookieName}=`) ? cookie.slice(cookieName.length + 1).split('.') : [],
      )
      .filter((token) => /^[\w-]{1,200}$/.test(token))
  }

  /** The URL selects the token, because several links may be open in tabs. */
  function tokenOf({ url, headers }: Request): string | undefined {
    const { search, searchParams } = new URL(url)
    const id = searchParams.get('link')
    return tokensIn(headers).find((token) => idOf(token) === id) ?? tokenInLink(search)
  }

  return {
    tokenOf,

    /** Responds to a link and to the page that posts its token; null if the token is already in the cookie. */
    async open(request: Request, nonce: string): Promise<Response | null> {
      const { pathname, search, searchParams } = new URL(request.url)
      const path = plainPath(pathname)
      if (!linkPaths.has(path) || searchParams.has('request')) return null
      if (isSafeMethod(request.method)) {
        const token = tokenInLink(search)
        if (token !== undefined) return redirectTo(`${path}#token=${token}`)
        return tokenOf(request) === undefined ? linkPage(path, nonce) : null
      }
      if (!searchParams.has('open')) return null
      const form = new URLSearchParams(Buffer.from(await readPortalBody(request)).toString())
      const linkToken = form.get('link_token')?.trim() ?? ''
      const token = tokenInLink(linkToken) ?? /^[\w-]{43}$/.exec(linkToken)?.[0]
      return token === undefined ? linkPage(path, nonce, true) : redirectTo(`${path}#token=${token}`)
    },

    /** Moves the token of a redirect from its location into the cookie. */
    keepToken(request: Request, headers: Headers): void {
      const location = headers.get('location') ?? ''
      const [path = ''] = location.split('#')
      const token = tokenInLink(location)
      if (token === undefined || !linkPaths.has(path)) return
      const others = tokensIn(request.headers).filter((other) => other !== token)
      const value = [token, ...others].slice(0, tokensMax).join('.')
      headers.set('location', `${path}?link=${idOf(token)}`)
      // Remix requests data from the second path.
      for (const cookiePath of [path, `${path}.data`])
        headers.append(
          'set-cookie',
          `${cookieName}=${value}; Path=${cookiePath}; Max-Age=${secondsKept}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
        )
    },
  }
}

const idOf = (token: string) => createHash('sha256').update(token).digest('hex').slice(0, 12)

const redirectTo = (location: string) =>
  new Response(null, { status: 303, headers: { 'cache-control': 'no-store', location } })

/** Normalizes a path as the router does: decoded, in lower case, without a trailing slash. */
function plainPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).toLowerCase().replace(/\/+$/, '')
  } catch {
    return pathname
  }
}

const script = `
const form = document.forms[0]
function send() {
  if (!location.hash.includes('token=')) return
  form.link_token.value = location.href
  history.replaceState(null, '', location.pathname)
  form.submit()
}
addEventListener('hashchange', send)
send()`

function linkPage(path: string, nonce: string, wrong = false): Promise<Response> {
  return plainPage({
    title: 'Open the link from your email',
    body: html`<p>Copy the whole link from the email and paste it here. In a browser with JavaScript, the link opens without this step.</p>
<form method="post" action="${path}?open">
<label for="link">Link from your email</label>
<input id="link" name="link_token" autocomplete="off" spellcheck="false" required${wrong ? html` aria-invalid="true" aria-describedby="wrong"` : ''}>
${wrong ? html`<p id="wrong" role="alert">This link is incomplete. Copy the whole link, with the part after <code>#token=</code>.</p>` : ''}
<button>Open link</button>
</form>`,
    scripted: { script, nonce },
    status: wrong ? 400 : 200,
  })
}
