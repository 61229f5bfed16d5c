import type { MetaFunction } from '@remix-run/react'
import { Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import scalarScript from '../../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js?url'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import { startReference } from './scalar.ts'

/** Scalar draws the main landmark itself. */
export const handle = { ownMain: true }
export const meta: MetaFunction = () => [{ title: 'Reference · Explorer · Sandpiper' }]

/** The whole OpenAPI document by Scalar, from our own files; its try-it asks our own server, which has the key. */
export default function ExplorerReference() {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const into = place.current
    if (into === null) return
    return startReference(into, { script: scalarScript, document: '/explorer/reference.json' })
  }, [])

  return (
    <div className="ex-page wide">
      <ExplorerNav />
      <section aria-labelledby="reference">
        <h1 id="reference" className="sr">
          Reference
        </h1>
        <p className="muted small">
          Calls from here go to the server you choose under “Server”, with a key that stays on our server. To
          see what gets logged, use the <Link to={paths.explorer}>pages of each operation</Link>. To read
          without a script, open the <Link to={paths.reference}>reference of the documentation</Link>.
        </p>
        <noscript>
          <p>The reference needs JavaScript. The operation pages work without it.</p>
        </noscript>
      </section>
      <div ref={place} className="ex-scalar" />
    </div>
  )
}
