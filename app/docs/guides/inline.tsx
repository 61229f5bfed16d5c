import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

/** The two marks that a cell of a table of facts may hold: `code` and [words](/path). */
const mark = /`([^`]+)`|\[([^\]]+)\]\((\/[^)\s]*)\)/g

/** Text of a table of facts as the page shows it. */
export function Inline({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const found of text.matchAll(mark)) {
    const [whole, code, words = '', to = ''] = found
    parts.push(text.slice(end, found.index))
    parts.push(
      code === undefined ? (
        <Link key={found.index} to={to}>
          <Inline text={words} />
        </Link>
      ) : (
        <code key={found.index}>{code}</code>
      ),
    )
    end = found.index + whole.length
  }
  parts.push(text.slice(end))
  return <>{parts}</>
}
