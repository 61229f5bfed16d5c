import { Card } from '../components/ui/page-parts.tsx'

interface MailPreviewProps {
  html: string
  text: string
}

/** Both parts of a mail. The HTML has no scripts and no rights, but its links open. */
export function MailPreview({ html, text }: MailPreviewProps) {
  return (
    <>
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
    </>
  )
}

/** The page's policy holds inside the frame: style attributes work, style elements (dark mode) would be refused. */
function withoutStyleElements(html: string): string {
  return html.replace(/<style[\s\S]*?<\/style>/gi, '')
}

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
