import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { allowScrollLock } from './lib/scroll-lock.ts'
import { rememberZone } from './lib/zone.ts'

allowScrollLock()
rememberZone()

/**
 * RemixBrowser throws a promise until the page's data is decoded, and nothing above it catches one. A click at that
 * moment makes React finish the page at once, which it cannot: "Root did not complete". So the promise
 * is taken, and waited for, before React begins; what is wrong with the data is thrown again when it renders.
 */
async function decodePageData(): Promise<void> {
  try {
    RemixBrowser({})
  } catch (decoding) {
    await decoding
  }
}

void decodePageData().then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    )
  }),
)
