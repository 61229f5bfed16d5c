import { type MetaFunction, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Facts } from '../../components/ui/page-parts.tsx'
import { markdownToHtml } from '../../lib/markdown.server.ts'
import { here, page } from '../../services.server.ts'
import { PublicFrame } from '../../shared/frames/public-frame.tsx'
import { legalTemplate } from './legal-templates.server.ts'

const accepted = 'Your acceptance refers to this version and its hash.'

/** Texts with their own URLs. The others are templates of agreements. */
const texts: Readonly<
  Record<string, { title: string; note: string; read: (services: Services) => LegalText } | undefined>
> = {
  [paths.sandboxTerms]: {
    title: 'Sandbox terms',
    note: accepted,
    read: ({ agreementTexts }) => agreementTexts.get('sandbox-terms'),
  },
  [paths.registrationTerms]: {
    title: 'Registration terms',
    note: accepted,
    read: ({ registrationTexts }) => registrationTexts.terms(),
  },
  [paths.registrationPolicy]: {
    title: 'Registration policy',
    note: 'The policy for handling every registration.',
    read: ({ registrationTexts }) => registrationTexts.policy(),
  },
}
type LegalText = Readonly<{ version: string; sha256: string; markdown: string }>

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.title ?? 'Template'} · Sandpiper` },
]

export const loader = page(({ context, params, request }) => {
  const { services } = context
  const own = texts[new URL(here(request), request.url).pathname]
  const template = own ? null : legalTemplate(services, params.template ?? '')
  const { version, sha256, markdown } = own?.read(services) ?? (template as LegalText)
  return {
    title: own?.title ?? template?.title,
    note: own?.note ?? 'The hash is of the template before its fields are filled in.',
    pdf: template && `${paths.legalTemplate(template.name)}/document.pdf`,
    ...{ version, sha256, html: markdownToHtml(markdown) },
  }
})

/** A versioned text, with the hash of exactly its bytes. */
export default function LegalTextPage() {
  const { version, sha256, html, note, pdf } = useLoaderData<typeof loader>()
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
              'SHA-256': <CopyCode text={sha256} label="Copy the SHA-256" />,
            }}
          />
          <footer>
            {note}{' '}
            {pdf && (
              <a href={pdf} download>
                Download as PDF
              </a>
            )}
          </footer>
        </aside>
      </div>
    </PublicFrame>
  )
}
