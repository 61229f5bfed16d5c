import type { ReactNode } from 'react'
import { CopyButton } from '../../components/ui/copy-button.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { PublicFrame } from '../../shared/frames/public-frame.tsx'

interface AgreementPageProps {
  version: string
  sha256: string
  /** Our own text, its HTML escaped by markdown.server.ts. */
  html: string
  note: ReactNode
}

/** A versioned text, with the hash of exactly its bytes. */
export function AgreementPage({ version, sha256, html, note }: AgreementPageProps) {
  return (
    <PublicFrame>
      <div className="wrap legal grid main-aside">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, its HTML escaped by markdown.server.ts */}
        <article className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        <aside className="card" aria-labelledby="version">
          <div className="head">
            <h2 id="version">This version</h2>
          </div>
          <Facts
            className="pad facts small"
            of={{
              Version: version,
              'SHA-256': (
                <>
                  <code className="breaks">{sha256}</code>
                  <CopyButton text={sha256} label="Copy the SHA-256" />
                </>
              ),
            }}
          />
          <footer>{note}</footer>
        </aside>
      </div>
    </PublicFrame>
  )
}
