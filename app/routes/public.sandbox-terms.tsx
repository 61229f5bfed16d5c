import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { PublicFrame } from '../components/frames/public-frame.tsx'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { markdownToHtml } from '../markdown.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'Sandbox terms · Sandpiper' }]

export const loader = page(({ context }: LoaderFunctionArgs) => {
  const { version, sha256, markdown } = context.services.sandboxTerms.current()
  return { version, sha256, html: markdownToHtml(markdown) }
})

export default function SandboxTerms() {
  const { version, sha256, html } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap legal grid main-aside">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, its HTML escaped by markdown.server.ts */}
        <article className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        <aside className="card" aria-labelledby="version">
          <div className="head">
            <h2 id="version">This version</h2>
          </div>
          <dl className="pad facts small">
            <dt>Version</dt>
            <dd>{version}</dd>
            <dt>SHA-256</dt>
            <dd>
              <code className="breaks">{sha256}</code>
              <CopyButton text={sha256} label="Copy the SHA-256" />
            </dd>
          </dl>
          <footer>Your acceptance names this version and this hash of its bytes.</footer>
        </aside>
      </div>
    </PublicFrame>
  )
}
