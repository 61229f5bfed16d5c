/** An email as it was sent to the local mailbox. */
import { Link, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { Card, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

export const meta = () => [{ title: 'Email · Sandpiper' }]

export const loader = page(async ({ context, params }) => {
  if (!context.mayDevelop) throw data(null, { status: 404 })
  const mail = await context.services.mail.mailbox?.get(params.mail ?? '')
  if (!mail) throw data(null, { status: 404 })
  const { to, from, subject, html, text, at } = mail
  return { to, from, at, subject, html, text }
})

export default function Email() {
  const { to, from, at, subject, html, text } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <p>
          <Link to="/dev/mail">All emails</Link>
        </p>
        <PageHeader title={subject}>
          From {from} to {to}, <Moment at={at} as="seconds" />
        </PageHeader>
        {/* The HTML has no scripts and no rights, but its links open. */}
        <Card id="html" title="HTML">
          <iframe
            className="mail-frame"
            title="Email"
            srcDoc={withoutStyleElements(html)}
            sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
          />
        </Card>
        <Card id="text" title="Plain text">
          <pre className="pad mail-text">
            {partsOf(text).map((part) =>
              /^https?:/.test(part.words) ? (
                <a key={part.at} href={part.words}>
                  {part.words}
                </a>
              ) : (
                part.words
              ),
            )}
          </pre>
        </Card>
      </div>
    </PublicFrame>
  )
}

/** The page's policy holds inside the frame: style attributes work, style elements (dark mode) would be refused. */
const withoutStyleElements = (html: string): string => html.replace(/<style[\s\S]*?<\/style>/gi, '')

/** Splits text at its URLs. Each part has its position. */
function partsOf(text: string): { at: number; words: string }[] {
  const parts: { at: number; words: string }[] = []
  let at = 0
  for (const words of text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:)\]])/)) {
    if (words !== '') parts.push({ at, words })
    at += words.length
  }
  return parts
}
